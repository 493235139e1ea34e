import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Told {
  table: string;
  /** The column with the id that a change is told by: the narrowest that look-ups name. Where it is null, the organization's is told. */
  by: string;
  on: readonly ('insert' | 'update' | 'delete')[];
  /** Columns that no look-up reads and that are written often. */
  ignored?: readonly string[];
  /** Deletions that are told; all by default. */
  deletedIf?: string;
}

const always = ['insert', 'update', 'delete'] as const;
/** A record of these is found by its id, and a look-up that finds none is not remembered, so new ones need not be told. */
const existing = ['update', 'delete'] as const;

/** The tables that look-ups of tokens and integrations read. */
const told: readonly Told[] = [
  { table: 'organizations', by: 'id', on: existing },
  { table: 'members', by: 'id', on: existing, ignored: ['last_logon', 'locked_until'] },
  { table: 'roles', by: 'organization_id', on: always },
  {
    table: 'tokens',
    by: 'id',
    on: existing,
    ignored: ['last_used_at'],
    deletedIf: 'old.expires > now()',
  },
  {
    table: 'token_secrets',
    by: 'token_id',
    on: existing,
    ignored: ['spent_at'],
    deletedIf: 'old.spent_at is null',
  },
  { table: 'integrations', by: 'id', on: existing },
  { table: 'integration_points', by: 'organization_id', on: existing },
  { table: 'mappings', by: 'organization_id', on: always },
  { table: 'customs', by: 'organization_id', on: always },
  { table: 'credentials', by: 'id', on: existing },
  { table: 'credential_renewals', by: 'credential_id', on: always, ignored: ['claimed_until'] },
  { table: 'data_keys', by: 'owner_id', on: existing },
  { table: 'domain_data_keys', by: 'owner_id', on: existing },
  { table: 'bridges', by: 'account_id', on: always },
  {
    table: 'bridge_agents',
    by: 'bridge_id',
    on: always,
    ignored: ['seen_at', 'stats', 'response_ms'],
  },
];

/**
 * Tells of every committed change of a record that a look-up of a token or an integration reads, whoever makes it. The id of the transaction
 * makes two changes of one record differ.
 */
export class TellChanges1763700212000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function onefold_tell_change() returns trigger
        language plpgsql set search_path = public
        as $$
        declare concerned text;
        begin
          for concerned in
            select distinct coalesce(r ->> tg_argv[0], r ->> 'organization_id')
            from unnest(array[to_jsonb(old), to_jsonb(new)]) r where r is not null
          loop
            perform pg_notify('onefold_changes', json_build_object('event', 'records.changed', 'payload',
              json_build_object('change', concerned || ' ' || pg_current_xact_id()))::text);
          end loop;
          return null;
        end $$;
    `);
    for (const one of told)
      for (const operation of one.on) await runner.query(triggerOf(one, operation));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, on } of told)
      for (const operation of on) await runner.query(`drop trigger tell_${operation} on ${table}`);
    await runner.query('drop function onefold_tell_change()');
  }
}

function triggerOf(
  { table, by, ignored = [], deletedIf = 'true' }: Told,
  operation: Told['on'][number],
): string {
  const columns = ['updated_at', ...ignored].map((column) => `'${column}'`).join(', ');
  const conditions = {
    insert: 'true',
    update: `to_jsonb(old) - array[${columns}] is distinct from to_jsonb(new) - array[${columns}]`,
    delete: deletedIf,
  };
  return `create trigger tell_${operation} after ${operation} on ${table}
    for each row when (${conditions[operation]}) execute function onefold_tell_change('${by}')`;
}
