import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** The agents of bridge groups: their keys, and their last state. */
export class BridgeAgents1763700182000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table bridge_agents (
        organization_id text not null references organizations on delete cascade,
        bridge_id text not null references bridges on delete cascade,
        -- The fingerprint of the agent's own key.
        key text not null,
        -- The process of the agent, and its connection.
        instance text not null,
        session text not null,
        facts jsonb not null,
        stats jsonb,
        response_ms double precision,
        created_at timestamptz not null,
        connected_at timestamptz not null,
        -- When its gateway last told of it.
        seen_at timestamptz not null,
        -- Null while it is connected.
        disconnected_at timestamptz,
        primary key (bridge_id, key)
      );
      create index on bridge_agents (organization_id);
    `);
    await protectTenantTables(runner, ['bridge_agents']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table bridge_agents');
  }
}
