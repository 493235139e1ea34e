import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key that pages of GET /v1/status begin after, as in the view `integration_statuses`. */
const statusName = `((account_id || ',' || id) collate "C")`;

/** Indexes of the orders of lists: without one, each page reads and sorts all rows of the organization. */
export class ListOrders1763700223000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index accounts_by_fullname on accounts (organization_id, fullname, name);
      create index accounts_by_change on accounts (organization_id, updated_at, name);
      create index integrations_by_fullname on integrations (organization_id, fullname, name);
      create index integrations_by_age on integrations (organization_id, created_at, name);
      create index integration_statuses_by_fullname on integrations (organization_id, fullname, ${statusName});
      create index integration_statuses_by_age on integrations (organization_id, created_at, ${statusName});
      create index integration_statuses_by_category on integrations (organization_id, category, ${statusName});
      create index integration_statuses_by_provider on integrations (organization_id, provider_type, ${statusName});
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index accounts_by_fullname, accounts_by_change, integrations_by_fullname, integrations_by_age,
        integration_statuses_by_fullname, integration_statuses_by_age, integration_statuses_by_category, integration_statuses_by_provider;
    `);
  }
}
