import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Integration points of an organization's own account, which do not take names from its other ones. */
export class OwnIntegrations1763700171000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table integration_points add built_in boolean not null default false;
      alter table integration_points drop constraint integration_points_organization_id_name_key;
      alter table integration_points
        add constraint integration_points_names unique (organization_id, name, built_in);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from integrations where integration_point_id in (select id from integration_points where built_in);
      delete from integration_points where built_in;
      alter table integration_points drop constraint integration_points_names;
      alter table integration_points
        add constraint integration_points_organization_id_name_key unique (organization_id, name);
      alter table integration_points drop built_in;
    `);
  }
}
