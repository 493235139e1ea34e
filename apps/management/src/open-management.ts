import type { DynamicModule } from '@nestjs/common';
import type { Around, Bus, Events } from '#bus';
import { createIds, ManagementSettings, systemClock } from '#config';
import { loadValidators } from '#contract';
import { openEgress, type Resolve } from '#egress';
import { measureBacklog } from '#jobs';
import { AuditTrail } from '#management/audit';
import { ManagementContext } from '#management/core';
import { Retention } from '#management/retention';
import { Budgets } from '@onefold/mapping';
import type { Health, Metrics } from '#observe';
import { describeMock, describeProvider } from '#provider-document';
import { openCatalogue, type ProviderCatalogue } from '#providers';
import { mockTicketing } from '#providers/mock-ticketing';
import type { Sealer } from '#secrets';
import { ChangeFeed, EventRelay, openStore } from '#store';
import { forgetIntegrations } from './forget-integrations.js';
import { ManagementModule } from './management.module.js';

export interface ManagementOptions extends Partial<ManagementSettings> {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  bus: Bus;
  health: Health;
  metrics: Metrics;
  /** Returns the URL at which browsers and identity providers reach the gateway. */
  publicUrl: () => string;
  /** Resolves host names; as the system does by default. */
  resolve?: Resolve;
}

/** The management API, connected to its database. */
export interface OpenManagement {
  module: DynamicModule;
  context: ManagementContext;
  providers: ProviderCatalogue;
  /** Wraps every call with the audit trail. */
  around: Around;
  close: () => Promise<void>;
}

/** Connects to the database and forwards the events of its transactions to the bus. */
export async function openManagement(options: ManagementOptions): Promise<OpenManagement> {
  const {
    databaseUrl: url,
    databasePool: poolSize,
    sealer,
    bus,
    health,
    metrics,
    publicUrl,
  } = options;
  const settings = { ...new ManagementSettings(), ...options };
  const { mocks, awsRoles } = settings;
  const egress = openEgress(settings, health, options.resolve);
  const budgets = new Budgets(settings.mappingBudgets).limitProcess();
  await loadValidators(); // a patched record must be valid for an update
  const store = await openStore({ url, poolSize }, metrics);
  sealer.checkKnown(await store.keysInUse());
  const relay = new EventRelay(
    url,
    (event) => {
      if (!feed.hear(event))
        bus.publish(event.event as keyof Events, event.payload as Events[keyof Events]);
    },
    () => feed.reset(),
  );
  const feed = new ChangeFeed(
    (event) => relay.notify(event),
    (changes) => bus.publish('records.changed', { changes }),
    () => relay.giveUp(),
  );
  await relay.start();
  store.forgetting = (ids) => forgetIntegrations(bus, ids);
  health.add('database', () => store.checkReady());
  const audit = new AuditTrail(store);
  const retention = new Retention(store, settings);
  await retention.start();
  const measurement = measureBacklog(store, metrics);
  const context = new ManagementContext(store, sealer, systemClock, createIds(), audit, awsRoles);
  const providers = openCatalogue({
    make: describeProvider,
    ...(mocks && {
      makeMocks: (compiled) => compiled.map(describeMock),
      others: [mockTicketing(store)],
    }),
  });
  return {
    module: ManagementModule.with(context, providers, { publicUrl, egress }, { budgets, feed }),
    context,
    providers,
    around: (call, work) => audit.runCall(call, work),
    close: async () => {
      measurement.stop();
      await retention.stop();
      await relay.stop();
      await store.close();
    },
  };
}
