import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes of the audit trail for what people ask of it: what happened to an integration, what a request was, and what was refused or raised
 * an alarm. Without them a filter that few records pass reads every month. New months get them when they are attached.
 */
export class AuditFilters1763700226000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index audit_records_by_integration on audit_records (organization_id, integration_id, created_at) where integration_id is not null;
      create index audit_records_by_request on audit_records (request_id) where request_id is not null;
      create index audit_records_by_type on audit_records (organization_id, audit_type, created_at) where audit_type <> 'API';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop index audit_records_by_integration, audit_records_by_request, audit_records_by_type',
    );
  }
}
