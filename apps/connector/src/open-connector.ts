import type { DynamicModule } from '@nestjs/common';
import type { FinishedCall, Bus } from '#bus';
import {
  ConnectModule,
  documentProvider,
  Drift,
  RecordChecks,
  RequestLog,
  Usage,
  UsageWriter,
} from '#connect';
import { ConnectorSettings, createIds, environment, systemClock } from '#config';
import { loadValidators, servedDomains } from '#contract';
import { HookRequests, HooksModule } from '#domains/hooks';
import { JobRequests, OperationsModule } from '#domains/operations';
import { openEgress, Pauses } from '#egress';
import { Budgets } from '@onefold/mapping';
import type { Health, Metrics } from '#observe';
import { Mocks } from '#mocks';
import { openCatalogue } from '#providers';
import { mockTicketing } from '#providers/mock-ticketing';
import { OwnAwsKeys } from '#provider-http';
import type { KeySource, Sealer } from '#secrets';
import { openStore } from '#store';
import { bindingsOf } from './domains.js';

export interface ConnectorOptions extends Partial<ConnectorSettings> {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  /** Keys that the connectors of every domain have; the sealer's by default. */
  busKeys?: KeySource;
  bus: Bus;
  health: Health;
  metrics: Metrics;
  /** The domains to serve; all by default. */
  domains?: readonly string[];
}

/** The connector API of some domains, connected to the database. */
export interface OpenConnector {
  module: DynamicModule;
  /** Counts and logs answered calls, for the bus. */
  answered: (answered: FinishedCall) => void;
  /** The domains of integrations that it serves. */
  domains: readonly string[];
  /** Runs before the process refuses calls: those that wait for a provider's limit are answered, so that their callers wait instead. */
  drain: () => Promise<void>;
  /** Runs when no call is in flight any more. */
  close: () => Promise<void>;
}

class ConnectorModule {}

export async function openConnector(options: ConnectorOptions): Promise<OpenConnector> {
  const {
    databaseUrl: url,
    databasePool: poolSize,
    sealer,
    busKeys = sealer,
    health,
    metrics,
    domains = servedDomains,
  } = options;
  const settings = { ...new ConnectorSettings(), ...options };
  const { mappingBudgets, providerBudgets, worldScale, awsRoles, signatureHeader } = settings;
  const { maxResponsesBytes } = settings;
  const egress = openEgress(settings, health);
  const budgets = new Budgets(mappingBudgets).limitProcess();
  const { modules, operations } = bindingsOf(domains);
  await loadValidators(); // a patched record must be valid as a new record
  const store = await openStore({ url, poolSize }, metrics);
  sealer.checkKnown(await store.keysInUse(), domains);
  health.add('database of records', () => store.checkReady());
  const providers = openCatalogue({
    make: documentProvider,
    makeMocks: new Mocks(store, systemClock, worldScale).make,
    others: [mockTicketing(store)],
  });
  const usage = new Usage();
  const pauses = new Pauses();
  const faults = metrics.counterBy(
    'onefold_invalid_records_total',
    'Records that did not fit the contract and were fitted to it, or that lists left out.',
    'outcome',
  );
  const checks = new RecordChecks({ onFault: faults.add });
  const drifts = metrics.counterBy(
    'onefold_provider_drift_total',
    'What showed that vendors change their APIs, by provider and kind: docs/operations.md.',
    'provider',
    'kind',
  );
  const drift = new Drift(drifts.add);
  const requests = new RequestLog(store, settings.requestLogShare, settings.requestLogLast);
  const writer = new UsageWriter(usage, store, drift, requests);
  const hooks = new HookRequests({
    store,
    sealer,
    busKeys,
    egress,
    clock: systemClock,
    ids: createIds(),
  });
  return {
    module: {
      module: ConnectorModule,
      imports: [
        ConnectModule.with({
          store,
          sealer,
          busKeys,
          providerBudgets,
          usage,
          providers,
          egress,
          operations,
          budgets,
          checks,
          drift,
          metrics,
          health,
          bridges: options.bus,
          pauses,
          signatureHeader,
          maxResponsesBytes,
          ownAwsKeys: awsRoles ? new OwnAwsKeys(environment(), systemClock) : undefined,
        }),
        ...modules,
        OperationsModule.with(new JobRequests(store, sealer, systemClock, createIds())),
        HooksModule.with(hooks),
      ],
    },
    answered: (finished) => {
      usage.answered(finished);
      requests.answered(finished);
    },
    domains,
    drain: () => Promise.resolve(pauses.end()),
    close: async () => {
      await writer.stop();
      await hooks.close();
      await store.close();
    },
  };
}
