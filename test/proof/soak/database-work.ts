import pg from 'pg';

/** Work of PostgreSQL that calls may have to wait for. */
export interface DatabaseWork {
  /** Vacuums and analyses that have ended by themselves, and checkpoints. */
  vacuums: number;
  checkpoints: number;
  deadRows: number;
  /** Vacuums that run now. */
  running: number;
}

/** Reads what PostgreSQL does beside the calls. */
export class DatabaseWatch {
  private constructor(
    private readonly client: pg.Client,
    private readonly checkpoints: string,
  ) {}

  static async connect(url: string): Promise<DatabaseWatch> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    const isSplit = (rows[0]?.version ?? 0) >= 170_000; // checkpoints have a view of their own
    return new DatabaseWatch(
      client,
      isSplit
        ? 'select num_timed + num_requested from pg_stat_checkpointer'
        : 'select checkpoints_timed + checkpoints_req from pg_stat_bgwriter',
    );
  }

  async read(): Promise<DatabaseWork> {
    const { rows } = await this.client.query<Record<keyof DatabaseWork, string>>(
      `select sum(autovacuum_count + autoanalyze_count) as "vacuums", sum(n_dead_tup) as "deadRows",
         (${this.checkpoints}) as "checkpoints", (select count(*) from pg_stat_progress_vacuum) as "running"
       from pg_stat_user_tables`,
    );
    const { vacuums, checkpoints, deadRows, running } = rows[0] as Record<
      keyof DatabaseWork,
      string
    >;
    return {
      vacuums: Number(vacuums),
      checkpoints: Number(checkpoints),
      deadRows: Number(deadRows),
      running: Number(running),
    };
  }

  /** Returns the tables with the most vacuums. */
  async tables(): Promise<string[]> {
    const { rows } = await this.client.query<{ text: string }>(
      `select relname || ': ' || autovacuum_count || ' vacuums, ' || autoanalyze_count || ' analyses, ' || n_dead_tup || ' dead rows, '
         || pg_size_pretty(pg_total_relation_size(relid)) as text
       from pg_stat_user_tables where autovacuum_count > 0 order by autovacuum_count desc, relname limit 12`,
    );
    return rows.map(({ text }) => text);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
