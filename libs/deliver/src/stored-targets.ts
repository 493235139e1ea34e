import { endpointQueries, type Transaction } from '#store';
import type { EndpointHealth } from './endpoint-health.js';

/** Addresses whose health is in columns of a table. */
export class StoredTargets {
  constructor(private readonly table: endpointQueries.EndpointTable) {}

  async take(tx: Transaction, endpointId: string, now: Date, until: Date): Promise<boolean> {
    return await endpointQueries.take(tx, this.table, endpointId, { now, until });
  }

  async lock(tx: Transaction, endpointId: string): Promise<EndpointHealth | undefined> {
    return await endpointQueries.lockHealth(tx, this.table, endpointId);
  }

  async save(tx: Transaction, endpointId: string, health: EndpointHealth): Promise<void> {
    await endpointQueries.saveHealth(tx, this.table, endpointId, health);
  }
}
