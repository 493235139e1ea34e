import { organizations } from '#apps/admin';
import type { ManagementSchemas } from '#contract';
import { type AdministratorToken, createOrganization } from '#management/tokens';
import type { OpenManagement } from '#apps/management';
import { createDemonstration } from '#management/integrations';

/** Valid for a month: the tokens are for trying the service out on one machine. */
const ttl = '30d';
const ticketing = 'ticketing_mock_ticketing';
/** By this label of the account the console tells made-up data from that of customers, and removes it. */
const demoLabel = 'onefold-demo';

export interface FirstTokens {
  organizationToken: string;
  /** Absent if mocks are disabled. */
  integrationToken?: string;
}

type Filled = Pick<OpenManagement, 'context' | 'providers'>;

/**
 * Fills an empty database: the root organization with an administrator, and in it what {@link fillOrganization} creates.
 * @returns undefined if the database is not empty
 */
export async function firstStart(
  management: Filled,
  databaseUrl: string,
  url: string,
): Promise<FirstTokens | undefined> {
  if ((await organizations(databaseUrl)).length > 0) return undefined;
  const administrator = await createOrganization(management.context, {
    name: 'root',
    fullname: 'Root organization',
    administrator: 'administrator',
    ttl,
  });
  return await fillOrganization(management, administrator, url);
}

/** Creates through the API an account with an integration on the built-in ticketing mock, and one on a mock in each other domain. */
export async function fillOrganization(
  { context, providers }: Filled,
  { access, organizationId, memberId }: AdministratorToken,
  url: string,
): Promise<FirstTokens> {
  const post = poster(url, access);
  const { account } = await post<{ account: ManagementSchemas['Account'] }>('/v1/accounts', {
    name: 'demo',
    fullname: 'Demo account',
    environment: 'test',
    labels: [demoLabel],
  });
  if (!providers.isBuiltIn(ticketing)) return { organizationToken: access };
  const { integration } = await post<{ integration: ManagementSchemas['Integration'] }>(
    `/v1/integrations/${account.id}`,
    {
      name: 'service-desk',
      fullname: 'Service desk',
      provider_config: { type: ticketing },
    },
  );
  const { secret } = await post<ManagementSchemas['Token']>(
    `/v1/tokens/${account.id}/${integration.id}`,
    { name: 'first-start', token_ttl: ttl },
  );
  const place = { organizationId, memberId, accountId: account.id };
  await createDemonstration(context, place, providers.manifests, ['ticketing']);
  return { organizationToken: access, integrationToken: secret };
}

function poster(url: string, token: string) {
  return async <Result>(path: string, body: object): Promise<Result> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`the first start failed at ${path}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: Result }).result;
  };
}
