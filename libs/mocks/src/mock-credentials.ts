import type { FakeCredentials, FakeDocument } from '#fakes';
import type { CompiledProvider, CredentialKind } from '#provider-document';
import type { OpenedCredential } from '#provider-http';

/** Where token endpoints are called; the host leads nowhere, the fake answers by the path. */
const origin = 'https://fake.invalid';

/**
 * The credentials of a mock integration, by their slots in the provider document: those of one principal of the fake, each as the first
 * kind that the slot takes and the fake gives out.
 * @throws Error that names a slot which the fake has nothing for
 */
export function mockCredentials(
  { source, credentials }: CompiledProvider,
  fake: FakeDocument,
  known: readonly FakeCredentials[],
  integrationId: string,
): ReadonlyMap<string, OpenedCredential> {
  const principal = fake.mock.principal ?? known[0]?.principal;
  const given = known.find((one) => one.principal === principal);
  const fields = given === undefined ? {} : fieldsOf(given);
  const opened = new Map<string, OpenedCredential>();
  for (const { slot, kinds, optional } of credentials) {
    const kind = [...kinds.keys()].find((one) => fields[one] !== undefined);
    if (kind !== undefined)
      opened.set(slot, {
        id: `${integrationId} ${slot}`,
        kind,
        config: { type: kind, ...fields[kind] },
      });
    else if (!optional)
      throw new Error(
        `the fake ${fake.name} has no ${[...kinds.keys()].join(' or ')} for ${slot} of ${source.provider}: add one to "accepts" of its auth`,
      );
  }
  return opened;
}

type Fields = Record<string, string>;

function fieldsOf({
  client,
  secret,
  basic,
  aws,
}: FakeCredentials): Partial<Record<CredentialKind, Fields>> {
  return {
    ...(client && {
      o_auth_client: {
        client_id: client.id,
        client_secret: client.secret,
        token_url: `${origin}${client.tokenPath}`,
      },
    }),
    ...(secret !== undefined && { token: { secret }, secret: { secret } }),
    ...(basic && { basic: { username: basic.username, secret: basic.password } }),
    ...(aws && {
      aws: { access_key_id: aws.accessKeyId, secret_access_key: aws.secretAccessKey },
    }),
  };
}
