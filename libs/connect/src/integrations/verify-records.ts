import type { ResolvedIntegration, Verification } from '#bus';
import { ApiError, type OperationId, operationOf } from '#contract';
import type { ConnectorCall } from '../connector-call.js';
import type { Provider } from '../provider.js';

/** Rows of the list whose records are checked. */
const sampleSize = 10;

/**
 * Lists the first records of an integration, and holds each against the contract. Which list it is, the contract does not say: one that a
 * mapping chain of the integration names comes first, then the first of the document. Lists that need a path, or make the provider work
 * for long, are not called.
 * @param run runs a call on the integration, and refuses records that do not fit
 * @returns `isTried` false if the provider has no such list, or refuses it; `invalid` names mapping and field of a record that does not fit.
 * A list that the provider or a bridge refuses is not a fault, because verification of the document says what a configuration needs.
 */
export async function verifyRecords(
  run: (call: ConnectorCall) => Promise<unknown>,
  integration: ResolvedIntegration,
  provider: Provider,
  limits: { deadline: number; signal: AbortSignal },
): Promise<Verification> {
  const operation = provider.storesRecords ? undefined : listOf(provider, integration);
  if (operation === undefined) return { isTried: false };
  const { organizationId, accountId, id: integrationId } = integration;
  const call: ConnectorCall = {
    operation,
    path: {},
    query: { limit: sampleSize },
    meta: [],
    requestId: 'verification',
    rawBody: new Uint8Array(),
    caller: { organizationId, accountId, integrationId },
    ...limits,
  };
  try {
    await run(call);
    return { isTried: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { context, kind } = error.options;
    // The allow-list of a bridge agent may leave the list out, as a provider may refuse it.
    const isOfBridge = kind?.startsWith('bridge-') === true;
    const isOurs = error.status === 502 && context?.provider_details === undefined && !isOfBridge;
    if (isOurs) return { isTried: true, invalid: error.message };
    return { isTried: false, unchecked: `${operation} failed: ${error.message}` };
  }
}

function listOf(provider: Provider, { chains }: ResolvedIntegration): OperationId | undefined {
  const isChained = (id: string) => chains.some(({ operationIds }) => operationIds.includes(id));
  const lists = (Object.keys(provider.operations) as OperationId[]).filter((id) => {
    const { path, query } = operationOf(id);
    return !path.includes('{') && query['limit'] !== undefined;
  });
  // Each that is looked at is compiled, so the first that is good ends the search.
  return [...lists.filter(isChained), ...lists].find((id) => {
    const { action, polls } = provider.operations[id] ?? {};
    return action === 'query' && !polls;
  });
}
