import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer's document may describe several providers. */
export class SeveralProviders1763700130000 implements MigrationInterface {
  name = 'SeveralProviders1763700130000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table customs add providers text[];
      update customs set providers = array[provider];
      alter table customs alter providers set not null, drop provider;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table customs add provider text;
      update customs set provider = providers[1];
      alter table customs alter provider set not null, drop providers,
        add unique (organization_id, provider);
    `);
  }
}
