import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An organization may have sub organizations: it sees that they are there and may delete them; their records are their own. */
export class SubOrganizations1763700061000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations add column parent_id text references organizations on delete cascade;
      create index on organizations (parent_id) where parent_id is not null;
      create policy sub_organizations on organizations for select to onefold_application
        using (parent_id = current_setting('onefold.organization_id', true));
      create policy delete_sub_organizations on organizations for delete to onefold_application
        using (parent_id = current_setting('onefold.organization_id', true));
      -- The policy of one's own organization is for every command; this takes deleting out of it.
      create policy delete_no_other on organizations as restrictive for delete to onefold_application
        using (parent_id = current_setting('onefold.organization_id', true));
      grant delete on organizations to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      revoke delete on organizations from onefold_application;
      drop policy sub_organizations on organizations;
      drop policy delete_sub_organizations on organizations;
      drop policy delete_no_other on organizations;
      alter table organizations drop column parent_id;
    `);
  }
}
