import type { MigrationInterface, QueryRunner } from 'typeorm';
import { statusesView } from './baseline/usage-counters.js';

/** Statuses can be searched by the names of integrations and accounts, and ordered by urgency and by what integrations say. */
export class StatusSearch1763700218000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace view integration_statuses with (security_invoker = true) as
        select i.id, ((i.account_id || ',' || i.id) collate "C") as name, i.organization_id, i.account_id, i.id as integration_id,
          coalesce(s.status, 'new') as status, i.created_at, coalesce(s.updated_at, i.created_at) as updated_at,
          coalesce(s.requests, 0) as requests, coalesce(s.failed, 0) as failed, coalesce(s.cpu_time, 0) as cpu_time,
          coalesce(s.db_ops, 0) as db_ops, coalesce(s.api_ops, 0) as api_ops, coalesce(s.in_bytes, 0) as in_bytes,
          coalesce(s.out_bytes, 0) as out_bytes, coalesce(s.job_requests, 0) as job_requests,
          i.fullname, i.category, i.provider_type,
          -- The order in which somebody has to act; a status that is not here comes last.
          coalesce(array_position(array['credentials_refused', 'permission_missing', 'failing', 'unavailable', 'rate_limited',
            'healthy', 'new'], coalesce(s.status, 'new')), 8) as urgency,
          concat(i.fullname, ' ', a.fullname) as names
        from integrations i
          left join integration_status s on s.integration_id = i.id
          left join accounts a on a.id = i.account_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop view integration_statuses;
      ${statusesView}
      grant select on integration_statuses to onefold_application;
    `);
  }
}
