import { readFields } from '../forms/fields.js';
import { hasReferences, resolverOf, type Schema } from '../forms/schema.js';
import type { Access, Done, Provider } from './access.js';
import { AccessForm } from './access-form.js';
import { customerFields, secretFields } from './customer-fields.js';
import { Ended, Failure } from './failure.js';
import { Skeleton } from './notice.js';
import { authorizable, call, isEnded, optionalMappings, session } from './session.js';
import { useLoaded } from './use-loaded.js';
import { locale } from './words.js';

interface Props {
  providerId: string;
  onDone: (done: Done) => void;
  onChange?: () => void;
}

/** The second step: the provider's own fields, beside what its document says about getting access. */
export function AccessStep({ providerId, onDone, onChange }: Props) {
  const read = useLoaded(providerId, (signal) => readAccess(providerId, signal));
  if (read.value)
    return <AccessForm access={read.value} onDone={onDone} {...(onChange ? { onChange } : {})} />;
  if (isEnded.value) return <Ended />;
  if (read.error) return <Failure error={read.error} provider="" onRetry={read.retry} />;
  return <Skeleton lines={8} />;
}

async function readAccess(providerId: string, signal: AbortSignal): Promise<Access> {
  const { account_id: accountId = '', integration_id: integrationId } = session.peek() ?? {};
  const query = { expand: ['provider_config', 'operations'], language: locale.peek() };
  const [{ result: provider }, integration] = await Promise.all([
    call('capabilities_get_provider', { path: { providerId }, query }, signal),
    integrationId
      ? call('integrations_get', { path: { accountId, integrationId } }, signal)
      : undefined,
  ]);
  const schema = (provider.provider_config ?? {}) as Schema;
  // Few schemas refer to the document of the API, which is large, so others do not wait for it.
  const document = hasReferences(schema)
    ? await call('meta_management_openapi_spec', {}, signal)
    : undefined;
  const all = customerFields(readFields(schema, '/provider_config', resolverOf(document)));
  const grantedAt = placeOf(provider);
  const access = { provider, ...(grantedAt === undefined ? {} : { grantedAt }) };
  const choices = optionalMappings
    .peek()
    .filter(({ providers }) => providers.some((one) => one === '*' || one === providerId));
  if (integration === undefined) return { ...access, choices, fields: all };
  return { ...access, choices: [], fields: secretFields(all), integration: integration.result };
}

/** The place of a credential that people can grant; undefined where the host has no application at the provider. */
function placeOf({ id, authorization }: Provider): string | undefined {
  if (!authorization || !authorizable.peek().includes(id)) return undefined;
  return authorization.credential;
}
