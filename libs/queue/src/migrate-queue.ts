import pg from 'pg';

/** Number of the newest migration of the library; a spec compares it with the package. */
export const queueRevision = 18;

// The library protects its tables by row-level security without a policy, so that only their owner sees them. Tasks hold ids, no
// tenant's data, and workers take those of all tenants.
const grants = `
  grant usage on schema graphile_worker to onefold_application;
  grant select, insert, update, delete on all tables in schema graphile_worker to onefold_application;
  grant usage on all sequences in schema graphile_worker to onefold_application;
  grant execute on all functions in schema graphile_worker to onefold_application;
  do $$ declare name text; begin
    foreach name in array array['_private_jobs', '_private_tasks', '_private_job_queues', '_private_known_crontabs'] loop
      execute format('drop policy if exists services on graphile_worker.%I', name);
      execute format('create policy services on graphile_worker.%I to onefold_application using (true) with check (true)', name);
    end loop;
  end $$`;

/**
 * Brings the tables of the queue up to date, as their owner, and lets the role of the services use them. The role has to exist.
 * @returns the name of the migration, if there was one
 */
export async function migrateQueue(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if ((await revisionOf(client)) === queueRevision) return [];
    const { runMigrations } = await import('graphile-worker'); // a tenth of a second, which a start without migrations saves
    await runMigrations({ connectionString: url });
    await client.query(grants);
    return [`Queue${queueRevision}`];
  } finally {
    await client.end();
  }
}

/** Returns the revision whose grants are in place: those come last, so an interrupted migration is continued. */
async function revisionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ granted: boolean }>(
    `select exists (select from pg_policies where schemaname = 'graphile_worker' and policyname = 'services') as granted`,
  );
  if (rows[0]?.granted !== true) return undefined;
  const found = await client.query<{ revision: number }>(
    'select max(id) as revision from graphile_worker.migrations',
  );
  return found.rows[0]?.revision;
}
