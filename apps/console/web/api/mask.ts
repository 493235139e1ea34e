import credentialKinds from '../../../../libs/contract/src/generated/credential-kinds.json';

/** Names of fields that are secrets: of passwords, and of credentials, such as `client_secret`. */
const secretNames = new Set([
  'old_secret',
  'new_secret',
  ...Object.values(credentialKinds).flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, one]) => ('x-secret' in one ? name : [])),
  ),
]);
const mayHaveSecret = new RegExp(`"(?:${[...secretNames].join('|')})"`);

/** A body for the list of requests: secrets in it are replaced, whether of a customer or of a member. */
export function maskSecrets(body: string): string {
  if (!mayHaveSecret.test(body)) return body;
  return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
    secretNames.has(name) && typeof value === 'string' ? '…' : value,
  );
}
