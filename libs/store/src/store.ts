import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { conflict } from '#contract';
import { inSpan, type SpanOptions } from '#observe';
import type { KeyInUse } from '#secrets';
import { checkTables } from './check-tables.js';
import { keysInUseQuery } from './data-keys.js';
import { driftParameter, type ReportedDrift } from './drift.js';
import type { LoggedRequest, SealedBodies } from './logged-request.js';
import { Reads } from './reads.js';
import { isViolation } from './records.js';
import { runStatement, runTransaction } from './run-transaction.js';
import type { Scope } from './scope.js';
import { openTransaction, type Reader, type Transaction } from './transaction.js';
import { DatabaseUnavailable, explainUnavailable } from './unavailable.js';
import type { Access, TransactionObserver } from './transaction-observer.js';
import { type UsageBatch, usageParameters } from './usage.js';

/** As other processes tolerate it in messages (libs/bus). */
const maxClockSkewMs = 30_000;
/** How many of the last successful calls of an integration the request log keeps besides its share of all. */
export const maxRecentRequests = 50;
/** How many calls of an integration have bodies, and how large they are together, in characters of sealed texts. */
export const maxRecordedCalls = 100;
export const maxRecordedSize = 33_554_432;
/** Steps that remove expired rows each time, of at most 5,000 rows of a table; the rest is removed next time. */
const maxPruneSteps = 100;
const databaseSpan: SpanOptions = {
  kind: 'client',
  facts: () => ({ 'db.system.name': 'postgresql' }),
};
const spanNames = {
  read: 'database read',
  write: 'database write',
  aside: 'database write',
} as const satisfies Record<Access, string>;

/** The database as services use it: transactions that see one organization. */
export class Store {
  /** Observes every transaction except those of {@link select} and {@link writeStatement}. */
  observer: TransactionObserver | undefined;

  /** Awaited with the ids of {@link Transaction.forget} when their transaction is committed, before its caller goes on. */
  forgetting: ((ids: readonly string[]) => Promise<void>) | undefined;

  private readonly reads: Reads;
  /** The reason why the database accepts no changes, as far as this process knows. */
  private refusal: DatabaseUnavailable | undefined;

  constructor(private readonly database: DataSource) {
    this.reads = new Reads(database);
  }

  /** Runs the work in one transaction; whatever it throws undoes all of it. */
  async write<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.transact(scope, 'write', work);
  }

  /** Like write, for work that only reads. */
  async read<T>(scope: Scope, work: (tx: Reader) => Promise<T>): Promise<T> {
    return await this.transact(scope, 'read', work);
  }

  /** Like write, for records that remain even if the call fails, such as a failed logon. */
  async aside<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.transact(scope, 'aside', work);
  }

  /**
   * Runs one statement that writes, in a transaction of its own and one message. It is not observed.
   * @param statementOf is called when a connection is free. Its values are in it
   */
  async writeStatement({ organizationId }: Scope, statementOf: () => string): Promise<void> {
    const run = () => runStatement(this.database, organizationId, statementOf);
    await inSpan('database write', databaseSpan, () => this.guard(run));
  }

  /**
   * Runs one statement that only reads, in one round trip, where latency matters.
   * @param statement names its parameters `$1 ->> 0`, `$1 ->> 1`, …; row-level security limits it to the organization.
   */
  async select<Row>(
    { organizationId }: Scope,
    statement: string,
    parameters: readonly string[],
  ): Promise<Row[]> {
    const read = () => this.reads.add(organizationId, statement, parameters);
    return (await inSpan('database read', databaseSpan, () => this.guard(read))) as Row[];
  }

  /** A row that {@link select} returned as JSON, as the record it is. */
  entity<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    row: Readonly<Record<string, unknown>>,
  ): Entity {
    const { columns } = this.database.getMetadata(target);
    const values = columns.map(({ propertyName, databaseName, type }) => {
      const value = row[databaseName];
      const isTime = type === 'timestamptz' && typeof value === 'string';
      return [propertyName, isTime ? new Date(value) : value];
    });
    return Object.fromEntries(values) as Entity;
  }

  /** The organization of a token's secret: asked before an organization is known. */
  async organizationOfSecret(hash: string): Promise<string | undefined> {
    const rows = await this.query<{ id: string | null }[]>(
      'select onefold_token_organization($1) as id',
      [hash],
    );
    return rows[0]?.id ?? undefined;
  }

  /** Adds the counters of a process, of all organizations. @returns true if old rows should be dropped */
  async addUsage(batch: UsageBatch): Promise<boolean> {
    const [row] = await this.query<{ due: boolean }[]>(
      'select onefold_add_usage($1, $2, $3, $4) as due',
      usageParameters(batch),
    );
    return row?.due === true;
  }

  /** Adds what shows that vendors have changed their APIs, to the statuses of integrations that have one. */
  async addDrift(found: readonly ReportedDrift[]): Promise<void> {
    await this.query('select onefold_add_drift($1)', [driftParameter(found)]);
  }

  /** Adds calls to the request log, of all organizations. */
  async addRequests(logged: readonly LoggedRequest[]): Promise<void> {
    await this.query('select onefold_add_requests($1, $2)', [
      JSON.stringify(logged),
      maxRecentRequests,
    ]);
  }

  /** Adds bodies to calls of the request log, of all organizations, as far as their integrations are still recorded. */
  async addRequestBodies(recorded: readonly SealedBodies[]): Promise<void> {
    await this.query('select onefold_add_request_bodies($1, $2, $3)', [
      JSON.stringify(recorded),
      maxRecordedCalls,
      maxRecordedSize,
    ]);
  }

  /** Drops counters that are too old to be requested. */
  async dropOldUsage(): Promise<void> {
    await this.query('select onefold_drop_old_usage()');
  }

  /** Returns the organization of a logon, by id or name. */
  async organizationOf(idOrName: string): Promise<string | undefined> {
    const rows = await this.query<{ id: string | null }[]>(
      'select onefold_organization($1) as id',
      [idOrName],
    );
    return rows[0]?.id ?? undefined;
  }

  /** Stores when tokens of any organization were used, unless that was stored less than a minute ago. */
  async noteUses(tokenIds: readonly string[], at: Date): Promise<void> {
    await this.query('select onefold_note_uses($1, $2)', [tokenIds, at]);
  }

  /** Creates the coming months of the audit trail and drops expired ones. Does nothing while another process does. @returns what was done */
  async keepMonths(auditDays: number): Promise<string[]> {
    const months = await this.query<{ done: string }[]>('select onefold_audit_months($1) as done', [
      auditDays,
    ]);
    return months.map(({ done }) => done);
  }

  /**
   * Creates the coming days of deliveries, drops expired ones, and ends deliveries that have waited for too long. Does nothing while
   * another process does. @returns what was done
   */
  async keepDeliveryDays(days: number): Promise<string[]> {
    const done = await this.query<{ done: string }[]>('select onefold_delivery_days($1) as done', [
      days,
    ]);
    return done.map((one) => one.done);
  }

  /** Creates the coming days of the request log and drops expired ones. Does nothing while another process does. @returns what was done */
  async keepRequestDays(days: number): Promise<string[]> {
    const done = await this.query<{ done: string }[]>('select onefold_request_days($1) as done', [
      days,
    ]);
    return done.map((one) => one.done);
  }

  /**
   * Creates the coming partitions of runs of jobs, changes of states and hours of usage, and drops expired ones. Does nothing while another
   * process does. @returns what was done
   */
  async keepHistory(): Promise<string[]> {
    const done = await this.query<{ done: string }[]>('select onefold_keep_history() as done');
    return done.map((one) => one.done);
  }

  /** Returns how many deliveries wait, of all organizations, how many are held at paused addresses, and since when the oldest is due. */
  async deliveryBacklog(
    at: Date,
  ): Promise<{ waiting: number; held: number; oldestDue: Date | undefined }> {
    const [row] = await this.query<{ waiting: string; held: string; oldest_due: Date | null }[]>(
      'select * from onefold_delivery_backlog($1)',
      [at],
    );
    return {
      waiting: Number(row?.waiting ?? 0),
      held: Number(row?.held ?? 0),
      oldestDue: row?.oldest_due ?? undefined,
    };
  }

  /** Returns the organizations whose sink for changes of states has not got all of them. */
  async statusBacklog(): Promise<string[]> {
    const rows = await this.query<{ id: string }[]>('select onefold_status_backlog() as id', []);
    return rows.map(({ id }) => id);
  }

  /** Returns the organizations with changes of states of which no deliveries to webhooks are made yet. */
  async statusWebhooksBacklog(): Promise<string[]> {
    const rows = await this.query<{ id: string }[]>(
      'select onefold_status_webhooks_backlog() as id',
      [],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the organizations with changes of states of which mails can be made now. */
  async alarmMailsDue(at: Date): Promise<string[]> {
    const rows = await this.query<{ id: string }[]>('select onefold_alarm_mails_due($1) as id', [
      at,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Counts the mails of all organizations that wait, and says since when the oldest does. */
  async alarmMailBacklog(): Promise<{ waiting: number; oldest: Date | undefined }> {
    const [row] = await this.query<{ waiting: string; oldest: Date | null }[]>(
      'select waiting, oldest from onefold_alarm_mail_backlog()',
      [],
    );
    return { waiting: Number(row?.waiting ?? 0), oldest: row?.oldest ?? undefined };
  }

  /** Says from which address mails are sent; undefined if there is no mail server. */
  async setMailSender(address: string | undefined): Promise<void> {
    await this.query('select onefold_set_mail_sender($1)', [address ?? null]);
  }

  /** Returns schedules of all organizations that have to be looked at, the longest due first. */
  async dueSchedules(
    at: Date,
    maxSchedules: number,
  ): Promise<{ organizationId: string; id: string }[]> {
    return await this.query(
      'select organization_id as "organizationId", id from onefold_due_schedules($1, $2)',
      [at, maxSchedules],
    );
  }

  /** Removes expired rows. Does nothing while another process does. @returns what was removed */
  async prune(): Promise<string[]> {
    const removed = new Map<string, number>();
    for (let step = 0; step < maxPruneSteps; step += 1) {
      // Each step is a transaction: who stores a key that is being removed waits for no other step.
      const pruned = await this.query<{ what: string; removed: string }[]>(
        'select what, removed from onefold_prune()',
      );
      if (pruned.length === 0) break;
      for (const one of pruned)
        removed.set(one.what, (removed.get(one.what) ?? 0) + Number(one.removed));
    }
    await this.query('select onefold_prune_jobs()');
    await this.query('select onefold_forget_renewals()');
    await this.query('select onefold_prune_sign_ons()');
    await this.query('select onefold_prune_authorizations()');
    await this.query('select onefold_prune_budgets()');
    await this.query('select onefold_prune_request_bodies()');
    return [...removed].map(([what, count]) => `removed ${count} ${what}`);
  }

  /** Returns the key-encryption keys that wrap data of any organization, and the keys of domains. */
  async keysInUse(): Promise<KeyInUse[]> {
    return await this.query<KeyInUse[]>(keysInUseQuery);
  }

  /** Throws if the database does not respond, accepts no changes, has older tables, or another time than this process. */
  async checkReady(): Promise<void> {
    await this.checkAccepting();
    await this.checkTables();
    const before = Date.now();
    const [row] = await this.query<{ now: number }[]>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    );
    const now = row?.now ?? Number.NaN;
    const skew = Math.max(before - now, now - Date.now());
    if (!(skew <= maxClockSkewMs))
      throw new Error(
        `the clock is ${Math.round(skew / 1000)} s from that of the database. Synchronize both machines by NTP.`,
      );
  }

  private async checkAccepting(): Promise<void> {
    // On a full disk reads work, and so do changes that fit into existing pages; only a new file shows that it is full.
    if (this.refusal === undefined) await this.query('select 1');
    else
      await this.guard(() =>
        this.database.query(
          'create temp table onefold_room on commit drop as select md5(n::text) from generate_series(1, 16384) n',
        ),
      );
    this.refusal = undefined;
  }

  /** Throws unless the tables are those of this version. */
  async checkTables(): Promise<void> {
    await this.guard(() => checkTables(this.database));
  }

  private async transact<T>(
    scope: Scope,
    access: Access,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const hooks = this.observer?.onBegin(scope, access);
    let isStoring = false;
    const forgotten: string[] = [];
    const run = () =>
      runTransaction(
        this.database,
        scope.organizationId,
        access,
        async (manager) => {
          const tx = openTransaction(manager, scope, (seen) => hooks?.onRecord(seen), forgotten);
          return { value: await work(tx), closing: hooks?.beforeCommit() };
        },
        () => (isStoring = access !== 'read'),
      );
    const value = await inSpan(spanNames[access], databaseSpan, () =>
      this.guard(run, () => isStoring),
    );
    if (forgotten.length > 0) await this.forgetting?.(forgotten);
    return value;
  }

  /** Runs a statement outside of any organization: what it finds of tenants, functions of the database count. */
  async query<Row>(statement: string, parameters: unknown[] = []): Promise<Row> {
    return await this.guard(() => this.database.query<Row>(statement, parameters));
  }

  /**
   * Runs work on the database. A temporary failure of the database is a 503; a statement that refers to a record that another
   * call has deleted is a 409. @param isStoring whether a commit is under way
   */
  private async guard<T>(work: () => Promise<T>, isStoring = () => false): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isViolation(error, '23503'))
        throw conflict(
          'a record that this one belongs to was deleted in the meantime',
          'Read the records again, and repeat the change if it is still right.',
        );
      const explained = explainUnavailable(error, isStoring());
      if (explained instanceof DatabaseUnavailable && explained.refusesWrites)
        this.refusal = explained;
      throw explained;
    }
  }

  async close(): Promise<void> {
    if (this.database.isInitialized) await this.database.destroy();
  }
}
