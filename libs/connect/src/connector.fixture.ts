import type { ResolvedIntegration } from '#bus';
import { systemClock } from '#config';
import type { Call, OperationId, Upload } from '#contract';
import { Budgets } from '@onefold/mapping';
import type { ProviderHttp, ResponseMemory } from '#provider-http';
import { keyOf, Sealer } from '#secrets';
import type { Store } from '#store';
import { Connector } from './connector.js';
import type { Drift } from './drift/drift.js';
import type { Mapping } from './provider-record.js';
import type { RecordChecks } from './records/record-checks.js';
import type { Provider, ProviderOperation } from './provider.js';
import { Usage } from './usage/usage.js';

const integration = {
  id: 'int_1',
  organizationId: 'org_1',
  accountId: 'acc_1',
  providerType: 'ticketing_acme',
  category: 'ticketing',
  providerConfig: {},
  credentials: {},
  chains: [],
  additionalMappings: [],
} as unknown as ResolvedIntegration;

export interface RunRequest {
  query?: object;
  body?: unknown;
  upload?: Upload;
  deadline?: number;
  meta?: readonly string[];
}

/** Runs one operation on a provider, and notes the steps in the order in which they end. */
export async function run(
  id: OperationId,
  offered: Omit<ProviderOperation, 'resource'>,
  request: RunRequest = {},
  {
    budgets = new Budgets(),
    checks,
    drift,
    http,
    memory,
    ...own
  }: Partial<ResolvedIntegration> & {
    budgets?: Budgets;
    checks?: RecordChecks;
    drift?: Drift;
    http?: ProviderHttp;
    memory?: ResponseMemory;
  } = {},
) {
  const steps: string[] = [];
  const noted = (step: string, mapping: Mapping = (record) => record): Mapping => {
    const note = (...parts: Parameters<Mapping>) => {
      steps.push(step);
      return mapping(...parts);
    };
    return Object.assign(note, {
      locateField: (path: readonly string[]) => mapping.locateField?.(path),
    });
  };
  const operation: ProviderOperation = {
    resource: 'tickets',
    ...offered,
    request: noted('map the request', offered.request),
    response: noted('map the response', offered.response),
    run: (call, mapped) => {
      steps.push('call the provider');
      return offered.run(call, mapped);
    },
  };
  const provider = {
    type: 'ticketing_acme',
    manifest: {} as Provider['manifest'],
    operations: { [id]: operation },
  };
  const usage = new Usage();
  const connector = new Connector({
    integrations: {
      find: () => {
        steps.push('resolve');
        return Promise.resolve({ ...integration, ...own });
      },
    },
    providers: { find: () => Promise.resolve(provider) },
    store: undefined as unknown as Store, // without an Idempotency-Key it is not used
    http: http as ProviderHttp, // used by providers of documents
    sealer: new Sealer(keyOf(Buffer.alloc(32, 7))),
    usage,
    budgets,
    clock: systemClock,
    ...(memory && { memory }),
    ...(checks && { checks }),
    ...(drift && { drift }),
  });
  const result = await connector.run({
    operation: id,
    path: { ticketId: '1' },
    query: {},
    meta: [],
    requestId: 'req_1',
    caller: { organizationId: 'org_1', accountId: 'acc_1', integrationId: 'int_1' },
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    ...request,
  } as unknown as Call);
  return { result, steps, usage };
}
