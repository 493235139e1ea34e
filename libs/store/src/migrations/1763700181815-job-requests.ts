import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUsage, dropOldUsage, firstCounters } from './usage-functions.js';

/** In the order in which counts are added, so that the migration and a process that adds some never wait for each other. */
const tables = ['integration_status', 'usage_minutes', 'usage_hours', 'usage_months'];

/** How many of the requests of an integration jobs have made. */
export class JobRequests1763700181815 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await lockUsage(runner);
    for (const table of tables)
      await runner.query(`alter table ${table} add job_requests bigint not null default 0`);
    await runner.query(statusesView([...firstCounters, 'job_requests']));
    await runner.query(addUsage([...firstCounters, 'job_requests'], 'request_id'));
    await runner.query(dropOldUsage([...firstCounters, 'job_requests']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockUsage(runner);
    await runner.query(addUsage(firstCounters, 'request_id'));
    await runner.query(dropOldUsage(firstCounters));
    await runner.query('drop view integration_statuses');
    for (const table of tables) await runner.query(`alter table ${table} drop job_requests`);
    await runner.query(statusesView(firstCounters));
    await runner.query('grant select on integration_statuses to onefold_application');
  }
}

/** Waits for a process that makes or drops a partition, and for those that read the view, which lock its tables after it. */
async function lockUsage(runner: QueryRunner): Promise<void> {
  await runner.query('select pg_advisory_xact_lock(7091605)');
  await runner.query('alter view integration_statuses set (security_invoker = true)');
}

function statusesView(names: readonly string[]): string {
  return `
    create or replace view integration_statuses with (security_invoker = true) as
      select i.id, ((i.account_id || ',' || i.id) collate "C") as name, i.organization_id, i.account_id, i.id as integration_id,
        coalesce(s.status, 'new') as status, i.created_at, coalesce(s.updated_at, i.created_at) as updated_at,
        ${names.map((name) => `coalesce(s.${name}, 0) as ${name}`).join(', ')}
      from integrations i left join integration_status s on s.integration_id = i.id`;
}
