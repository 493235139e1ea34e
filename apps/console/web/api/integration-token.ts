import type { OperationId } from '#contract';
import { call, RequestError, type Response, sendForText } from './client.js';
import type { Input } from './operations.js';

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

/** Sends an operation of the connector API through an integration. @throws RequestError */
export async function sendThrough(
  path: IntegrationPath,
  id: OperationId,
  input: Input,
  signal?: AbortSignal,
): Promise<Response> {
  const token = await integrationToken(path, signal);
  try {
    return await sendForText(id, input, token, signal);
  } catch (error) {
    // The next call makes another one, as when somebody has deleted it.
    if (error instanceof RequestError && error.problem.status === 401)
      kept.delete(path.integrationId);
    throw error;
  }
}
