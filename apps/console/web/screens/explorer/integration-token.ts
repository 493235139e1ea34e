import { call } from '../../api/client.js';

interface Kept {
  secret: string;
  expires: number;
}

const ttl = '10m';
const marginMs = 30_000;
/** In memory only, so that they end with the page. */
const kept = new Map<string, Kept>();

/** Address of an integration: its account and its id. */
export interface IntegrationPath {
  accountId: string;
  integrationId: string;
}

/** Returns a token of an integration that is valid for ten minutes at most, and creates one if there is none. */
export async function integrationToken(
  path: IntegrationPath,
  signal?: AbortSignal,
): Promise<string> {
  const known = kept.get(path.integrationId);
  if (known !== undefined && known.expires - marginMs > Date.now()) return known.secret;
  const input = { path: { ...path }, body: { token_ttl: ttl } };
  const { secret, expires } = (await call('tokens_create_integration_token', input, signal)).result;
  kept.set(path.integrationId, { secret, expires: Date.parse(expires) });
  return secret;
}

/** Makes the next call create another one, as when somebody has deleted it. */
export function forgetIntegrationToken({ integrationId }: IntegrationPath): void {
  kept.delete(integrationId);
}
