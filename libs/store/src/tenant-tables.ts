import type { QueryRunner } from 'typeorm';

/** The columns of every table of tenants' records. */
export const tenantColumns = `
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  name text collate "C" not null,
  fullname text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null`;

/** Gives the services' role the tables' rows of one organization at a time. @param rights that the role gets */
export async function protectTenantTables(
  runner: QueryRunner,
  tables: readonly string[],
  rights = 'select, insert, update, delete',
): Promise<void> {
  for (const table of tables)
    await runner.query(`
      alter table ${table} enable row level security;
      create policy tenant on ${table} to onefold_application
        using (organization_id = current_setting('onefold.organization_id', true))
        with check (organization_id = current_setting('onefold.organization_id', true));
      grant ${rights} on ${table} to onefold_application;
    `);
}
