import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for filters that few rows of many pass, and for orders of jobs and tokens. */
export class FilterIndexes1763700244000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index accounts_by_environment on accounts (organization_id, environment, name);
      create index integrations_by_category on integrations (organization_id, category, name);
      create index integrations_by_provider on integrations (organization_id, provider_type, name);
      create index audit_records_by_member on audit_records (organization_id, member_id, created_at) where member_id is not null;
      create index audit_records_by_code on audit_records (organization_id, code, created_at);
      create index operations_by_age on operations (organization_id, created_at, name);
      create index operations_by_change on operations (organization_id, updated_at, name);
      create index operations_by_status on operations (organization_id, status, name);
      create index tokens_by_age on tokens (organization_id, created_at, name);
      create index deliveries_failed on deliveries (organization_id, endpoint_id, name) where status = 'failed';
      create index request_records_by_operation on request_records (organization_id, operation, name);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `drop index accounts_by_environment, integrations_by_category, integrations_by_provider, audit_records_by_member, audit_records_by_code,
        operations_by_age, operations_by_change, operations_by_status, tokens_by_age, deliveries_failed, request_records_by_operation`,
    );
  }
}
