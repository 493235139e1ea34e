import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import {
  type ApiError,
  badRequest,
  forbidden,
  notImplemented,
  type Operation,
  type OperationId,
  operations,
  unpolledMs,
} from '#contract';
import type { Budgets } from '@onefold/mapping';
import { MetaCollector, MetaError, readMetaCalls } from '#meta';
import { Redactor } from '#provider-http';
import type { ConnectorCall } from './connector-call.js';
import type { Drift } from './drift/drift.js';
import type { Integrations } from './integrations/integrations.js';
import { readListQuery } from './lists/list-query.js';
import { findChain } from './records/mapping-chain.js';
import { MappingTrace } from './records/mapping-trace.js';
import type { OperationRun } from './operation-run.js';
import type { PageParameters } from './lists/page.js';
import { Problems } from './problems.js';
import type { Provider, Providers } from './provider.js';
import { DangerousCall } from './writes/dangerous-call.js';
import { CallUsage, type Usage } from './usage/usage.js';

export interface RunOptions {
  /** The operation to run instead of the call's own: the domain `custom` has it in the path. */
  as?: OperationId;
  /** Adds the provider record to each of ours, as `raw_data`. */
  raw?: boolean;
}

/**
 * Finds what a call needs to run: the integration of its token, the operation, the provider that offers it, and the filters, orders and
 * meta functions of the request. @throws ApiError
 */
export async function resolveOperation(
  call: ConnectorCall,
  { as = call.operation, raw = false }: RunOptions,
  parts: {
    integrations: Pick<Integrations, 'find'>;
    providers: Providers;
    usage: Usage;
    budgets: Budgets;
    clock: Clock;
    drift?: Drift;
  },
): Promise<OperationRun> {
  const { clock } = parts;
  const { organizationId, integrationId } = call.caller;
  if (integrationId === undefined)
    throw forbidden('the token belongs to no integration', 'Use an Integration token.');
  const meta = new MetaCollector(metaCalls(call));
  const { tracedRecords, pollSeconds = 0 } = meta.calls;
  const operation = connectorOperation(as);
  const isFile = operation.request === 'multipart' || operation.response.kind === 'binary';
  if (isFile && as !== call.operation) throw ownPathOnly(operation);
  const integration = await parts.integrations.find(organizationId, integrationId, call.requestId);
  const { providerType: type, providerDocument, accountId } = integration;
  const provider = await parts.providers.find(type, providerDocument);
  const offered = provider?.operations[operation.id];
  if (offered === undefined) throw notOffered(operation, type, provider);
  const redactor = new Redactor();
  const deadline =
    isFile || offered.polls ? call.deadline : Math.min(call.deadline, clock.now() + unpolledMs);
  return {
    call,
    raw: raw
      ? 'record'
      : operation.query['include_raw_data'] && wantsRawData(call)
        ? 'text'
        : undefined,
    operation,
    isFile,
    isDryRun: operation.dryRun && (call.query as { dry_run?: boolean | null }).dry_run === true,
    danger: operation.dangerous ? dangerOf(call, as, integration) : undefined,
    offered,
    integration,
    meta,
    trace: tracedRecords === undefined ? undefined : new MappingTrace(tracedRecords),
    redactor,
    usage: new CallUsage(parts.usage, { organizationId, accountId, integrationId }, call.requestId),
    clock,
    context: {
      config: integration.providerConfig,
      path: call.path,
      limits: parts.budgets.limitsOf(integration.id, accountId, organizationId),
    },
    deadline,
    query: readListQuery(
      call.query as PageParameters,
      offered,
      operation,
      findChain(integration, operation.id),
    ),
    problems: new Problems(),
    drift: parts.drift?.ofCall(integration, operation.id, (text) => redactor.text(text)),
    capped: pollSeconds * 1000 > deadline - clock.now(),
  };
}

function dangerOf(
  { operation, path, query, body, caller }: ConnectorCall,
  ran: OperationId,
  integration: ResolvedIntegration,
): DangerousCall {
  return new DangerousCall({ operation, path, query, body, caller }, ran, integration);
}

function wantsRawData({ query }: ConnectorCall): boolean {
  return (query as { include_raw_data?: boolean | null }).include_raw_data === true;
}

function metaCalls(call: ConnectorCall) {
  try {
    return readMetaCalls(call.meta);
  } catch (error) {
    if (!(error instanceof MetaError)) throw error;
    throw badRequest(
      {
        // "A bodiless request carries meta parameters, a request with a body a root-level array."
        ...(operations.get(call.operation)?.request !== 'json'
          ? ({ location: 'query', pointer: 'meta' } as const)
          : ({ location: 'body', pointer: '/meta' } as const)),
        message: error.message,
        remediation: error.remedy,
        value: error.call,
      },
      { cause: error },
    );
  }
}

function connectorOperation(id: OperationId): Operation {
  const operation = operations.get(id);
  if (operation?.side === 'connector') return operation;
  throw badRequest({
    location: 'path',
    pointer: 'operation',
    message: 'is not the id of a connector operation',
    remediation: 'Use the id of an operation, such as custom_query.',
    value: id,
  });
}

function ownPathOnly({ id, method, path }: Operation): ApiError {
  return badRequest({
    location: 'path',
    pointer: 'operation',
    message: 'names an operation that passes a file',
    remediation: `Call ${method} ${path}.`,
    value: id,
  });
}

function notOffered(
  { id, instead }: Operation,
  type: string,
  provider: Pick<Provider, 'operations' | 'unsupported'> = { operations: {} },
): ApiError {
  const other = instead && provider.operations[instead] ? operations.get(instead) : undefined;
  const reason = provider.unsupported?.[id];
  return notImplemented(
    `the provider ${type} does not offer ${id}${reason === undefined ? '' : `: ${reason}`}`,
    other !== undefined
      ? `It offers ${other.id}: call ${other.method} ${other.path}.`
      : `GET /v1/capabilities/providers/${type}?expand=operations lists what it offers.`,
  );
}
