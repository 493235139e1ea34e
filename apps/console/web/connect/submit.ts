import { RequestError } from '../api/request-error.js';
import type { Field } from '../forms/fields.js';
import { nameOf, objectOf, type Values } from '../forms/values.js';
import type { Access, Done } from './access.js';
import { call, session } from './session.js';

/** The part of provider_config that was typed, with the credential that somebody granted at the provider in its place. */
function typedIn({ fields, grantedAt }: Access, values: Values, granted: string | undefined) {
  if (grantedAt === undefined || granted === undefined) return objectOf(fields, values);
  const typed = objectOf(withoutField(fields, grantedAt), values);
  return { ...typed, [grantedAt]: { type: 'token_id', value: granted } };
}

/** The fields besides that of a credential. */
export function withoutField(fields: readonly Field[], name: string): readonly Field[] {
  return fields.filter(({ pointer }) => nameOf(pointer) !== name);
}

/** The body of an integration: what is renewed keeps the rest of its configuration. */
function bodyOf(access: Access, values: Values, granted: string | undefined) {
  const { provider, integration } = access;
  const typed = typedIn(access, values, granted);
  if (integration)
    return { ...integration, provider_config: { ...integration.provider_config, ...typed } };
  return {
    fullname: provider.fullname,
    integration_point_id: session.peek()?.integration_point_id,
    provider_config: { type: provider.id, ...typed },
  };
}

/** Asks the provider whether it accepts what was typed. Nothing is stored. @throws RequestError */
export async function verifyAccess(
  access: Access,
  values: Values,
  granted: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { account_id: accountId = '' } = session.peek() ?? {};
  const body = bodyOf(access, values, granted);
  const { integration } = access;
  if (integration) {
    const path = { accountId, integrationId: integration.id };
    await call('integrations_verify_existing', { path, body }, signal);
  } else {
    await call('integrations_verify', { path: { accountId }, body: { integration: body } }, signal);
  }
}

/**
 * Creates the integration, or replaces the secrets of the one that is renewed. This ends the session.
 * @param key makes two calls create one integration
 * @throws RequestError
 */
export async function storeAccess(
  access: Access,
  values: Values,
  granted: string | undefined,
  key: string,
): Promise<Done> {
  const { account_id: accountId = '' } = session.peek() ?? {};
  const { provider, integration } = access;
  if (integration) {
    const path = { accountId, integrationId: integration.id };
    const patch = Object.entries(typedIn(access, values, granted)).map(([name, value]) => ({
      ...{ op: 'add', path: `/provider_config/${name}`, value },
    }));
    const test = { op: 'test', path: '/updated_at', value: integration.updated_at };
    await call('integrations_patch', { path, body: [test, ...patch] });
    return doneOf(integration, provider.id, false);
  }
  const input = { path: { accountId }, body: bodyOf(access, values, granted), idempotencyKey: key };
  const { result } = await call('integrations_create', input);
  return doneOf(result.integration, provider.id, true);
}

function doneOf(
  { id, fullname }: { id: string; fullname: string },
  providerId: string,
  isCreated: boolean,
): Done {
  return { integrationId: id, name: fullname, providerId, isCreated };
}

/** Whether the answer to a change was lost, so that nobody here knows if it was made. */
export function isLost(error: unknown): boolean {
  return (
    error instanceof RequestError && (error.problem.status === 0 || error.problem.status >= 500)
  );
}
