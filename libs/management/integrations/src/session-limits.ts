import { type Caller, notFound, offersProvider } from '#contract';
import { fault } from '#management/core';
import type { Integration, IntegrationPoint } from '#store';
import type { CreateIntegration } from './integration-content.js';
import type { IntegrationBody } from './integration-view.js';
import { checkAgainstOptional } from './point-templates.js';

/** The fields of an integration that the page of a Connect session may choose. */
const chosen = new Set([
  'name',
  'fullname',
  'integration_point_id',
  'provider_config',
  'additional_mappings',
]);
/** The fields that the page of a Connect session may see: not the host's webhooks, mappings and jobs. */
const shown = new Set([
  'id',
  'account_id',
  'refresh_token_id',
  'name',
  'fullname',
  'created_at',
  'updated_at',
  'category',
  'provider_type',
  'provider_fullname',
  'provider_config',
  'integration_point_id',
]);

/** Hides integrations other than the one of the caller's Connect session. @throws ApiError 404 */
export function checkInSession({ connect }: Caller, { id }: Integration): void {
  if (connect && connect.integrationId !== id) throw notFound('integration', id);
}

/** Limits what a Connect session creates to its integration point and providers. @throws ApiError 400 */
export function checkCreateInSession(
  { connect }: Caller,
  body: CreateIntegration,
  point: IntegrationPoint | undefined,
): void {
  if (!connect) return;
  checkFields(body, chosen);
  if (point?.id !== connect.integrationPointId)
    throw fault('/integration_point_id', 'is not the integration point of the session', {
      value: body.integration_point_id,
      remediation: `Send ${connect.integrationPointId}.`,
    });
  checkProviderOf(connect, body.provider_config.type);
  checkAgainstOptional(point, body.provider_config.type, body.additional_mappings);
}

/** Limits the check of an existing integration in a Connect session to the fields that it may see. @throws ApiError 400 */
export function checkVerifyInSession(
  caller: Caller,
  body: Partial<IntegrationBody> | null | undefined,
): void {
  if (!caller.connect || !body) return;
  checkFields(body, shown);
  if (body.provider_config) checkProviderOf(caller.connect, body.provider_config.type);
}

/** Limits a patch in a Connect session to the configuration of the provider. @throws ApiError 400 */
export function checkPatchInSession(
  { connect }: Caller,
  patch: readonly { op: string; path: string; from?: string | null }[],
): void {
  if (!connect) return;
  for (const [index, { op, path, from }] of patch.entries())
    for (const [field, pointer] of Object.entries({ path, from }))
      if (pointer && !isConfiguration(pointer) && !(op === 'test' && pointer === '/updated_at'))
        throw fault(`/${index}/${field}`, 'is not allowed in a Connect session', {
          value: pointer,
          remediation: 'Change /provider_config and what is below it.',
        });
}

/** Keeps the provider of an integration that a Connect session patches. @throws ApiError 400 */
export function checkProviderInSession({ connect }: Caller, patched: IntegrationBody): void {
  if (connect) checkProviderOf(connect, patched.provider_config.type);
}

/** Leaves out of an integration what the page of a Connect session may not see. */
export function shownInSession<View extends object>({ connect }: Caller, view: View): View {
  if (!connect) return view;
  return Object.fromEntries(Object.entries(view).filter(([name]) => shown.has(name))) as View;
}

function checkProviderOf(connect: NonNullable<Caller['connect']>, type: string): void {
  if (offersProvider(connect, type)) return;
  throw fault('/provider_config/type', 'is not offered by the session', { value: type });
}

function checkFields(body: object, allowed: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(body))
    if (!allowed.has(name) && value !== null && value !== undefined)
      throw fault(`/${name}`, 'is not allowed in a Connect session', {
        remediation: `Send ${[...allowed].join(', ')} only.`,
      });
}

function isConfiguration(pointer: string): boolean {
  return pointer === '/provider_config' || pointer.startsWith('/provider_config/');
}
