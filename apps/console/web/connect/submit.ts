import { RequestError } from '../api/request-error.js';
import type { Field } from '../forms/fields.js';
import { nameOf, objectOf, type Values } from '../forms/values.js';
import type { Access, Done } from './access.js';
import type { Granted } from './authorize.js';
import { call, type MappingTemplate, session } from './session.js';

type Chosen = readonly MappingTemplate[];

/** The mapping of an integration that a template offers. */
function mappingOf({ providers: _for, mapping_type: _type, ...mapping }: MappingTemplate) {
  return mapping;
}

/** The part of provider_config that was typed, with the credential that somebody granted at the provider in its place, and what that told. */
function typedIn({ fields, grantedAt }: Access, values: Values, granted: Granted | undefined) {
  if (grantedAt === undefined || granted === undefined) return objectOf(fields, values);
  const received = granted.provider_config ?? {};
  const typed = objectOf(withoutFields(fields, [grantedAt, ...Object.keys(received)]), values);
  return { ...typed, ...received, [grantedAt]: { type: 'token_id', value: granted.credential_id } };
}

/** The fields besides those of a credential and of what its provider tells. */
export function withoutFields(
  fields: readonly Field[],
  names: readonly string[],
): readonly Field[] {
  return fields.filter(({ pointer }) => !names.includes(nameOf(pointer)));
}

/** The body of an integration: what is renewed keeps the rest of its configuration. */
function bodyOf(access: Access, values: Values, granted: Granted | undefined, chosen: Chosen) {
  const { provider, integration } = access;
  const typed = typedIn(access, values, granted);
  if (integration)
    return { ...integration, provider_config: { ...integration.provider_config, ...typed } };
  return {
    fullname: provider.fullname,
    integration_point_id: session.peek()?.integration_point_id,
    provider_config: { type: provider.id, ...typed },
    ...(chosen.length === 0 ? {} : { additional_mappings: chosen.map(mappingOf) }),
  };
}

/** Asks the provider whether it accepts what was typed. Nothing is stored. @throws RequestError */
export async function verifyAccess(
  access: Access,
  values: Values,
  granted: Granted | undefined,
  chosen: Chosen,
  signal: AbortSignal,
): Promise<void> {
  const { account_id: accountId = '' } = session.peek() ?? {};
  const body = bodyOf(access, values, granted, chosen);
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
  granted: Granted | undefined,
  chosen: Chosen,
  key: string,
): Promise<Done> {
  const { account_id: accountId = '' } = session.peek() ?? {};
  const { provider, integration } = access;
  if (integration) {
    const path = { accountId, integrationId: integration.id };
    const patch = Object.entries(typedIn(access, values, granted)).map(([name, value]) => ({
      op: 'add',
      path: `/provider_config/${name}`,
      value,
    }));
    const test = { op: 'test', path: '/updated_at', value: integration.updated_at };
    await call('integrations_patch', { path, body: [test, ...patch] });
    return doneOf(integration, provider.id, false);
  }
  const input = {
    path: { accountId },
    body: bodyOf(access, values, granted, chosen),
    idempotencyKey: key,
  };
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
