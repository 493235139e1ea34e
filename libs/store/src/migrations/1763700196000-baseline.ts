import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';
import { access } from './baseline/access.js';
import { audit } from './baseline/audit.js';
import { credentials } from './baseline/credentials.js';
import { events } from './baseline/events.js';
import { integrations } from './baseline/integrations.js';
import { jobs } from './baseline/jobs.js';
import { tenants } from './baseline/tenants.js';
import { usage } from './baseline/usage.js';

/** In this order, because tables refer to those before. */
const parts = [tenants, access, integrations, credentials, usage, audit, jobs, events];

/** The tables of the first release, behind row-level security for the role of the services. */
export class Baseline1763700196000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Roles belong to the whole server: other databases on it may have made this one, at this moment too. Where an administrator
      -- has made it, an owner who may not create roles suffices.
      do $$ begin
        if not exists (select from pg_roles where rolname = 'onefold_application') then
          create role onefold_application nologin;
        end if;
      exception when duplicate_object or unique_violation then null;
      end $$;
      do $$ begin
        execute format('grant onefold_application to %I', current_user);
      exception when others then null; -- a superuser needs no grant, and two grants at one moment collide
      end $$;
      grant usage on schema public to onefold_application;
    `);
    for (const { sql, tables, limited = {} } of parts) {
      await runner.query(sql);
      await protectTenantTables(runner, tables);
      for (const [table, rights] of Object.entries(limited))
        await protectTenantTables(runner, [table], rights);
    }
  }

  async down(): Promise<void> {
    throw new Error('The baseline cannot be taken back: drop the database instead.');
  }
}
