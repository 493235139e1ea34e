import { ApiError } from '#contract';
import { formatJson, parseJson } from '@onefold/mapping';
import type { Scope, Store, Transaction } from '#store';
import { type Entry, firstMadeNumber } from './entry.js';
import { type FakeState, RequestState, type StoredEntry, StoredEntries } from './fake-state.js';
import { changedFiles } from './fake-files.js';
import type { FakeStorage } from './fake-storage.js';
import { StoreFiles } from './store-files.js';

/** Maximum number of changed records of an integration: its callers decide how many they make. */
export const maxEntries = 50_000;
/** Maximum size of an integration's changes as JSON: a process that plays it has them in memory. */
export const maxEntryBytes = 33_554_432;

interface StoredRow {
  state_version: number;
  newest: number;
  /** Null in a row that only tells the version. */
  collection: string | null;
  id: string;
  version: number;
  entry: string;
}

const columns = `s.version::float8 as state_version, s.newest::float8 as newest,
  e.collection, e.id, e.version::float8 as version, e.entry::text as entry`;

/**
 * Keeps changes in the database, so that replicas see the same and nothing is lost. A process keeps the entries that it has read,
 * and reads those that are newer before each request.
 */
export class StoreStorage implements FakeStorage {
  readonly files: StoreFiles;
  private readonly stored = new StoredEntries();

  constructor(
    private readonly store: Pick<Store, 'select' | 'write'>,
    private readonly scope: Scope,
    private readonly integrationId: string,
    private readonly maxRecords = maxEntries,
  ) {
    this.files = new StoreFiles(store, scope, integrationId);
  }

  /** Size of the integration's changes as JSON, as this process knows it. */
  get bytes(): number {
    return this.stored.bytes;
  }

  async work<T>(action: (state: FakeState) => T, writes: boolean): Promise<T> {
    if (!writes) {
      await this.refresh();
      return action(new RequestState(this.stored));
    }
    const { result, changed } = await this.store.write(this.scope, (tx) => this.change(tx, action));
    // Only what is committed may be seen by other requests of this process.
    if (changed !== undefined) this.take(changed.entries, changed.version, changed.newest);
    return result;
  }

  private async refresh(): Promise<void> {
    const rows = await this.store.select<StoredRow>(
      this.scope,
      `select ${columns} from fake_states s
       left join fake_entries e on e.integration_id = s.integration_id and e.version > ($1 ->> 2)::bigint
       where s.integration_id = $1 ->> 0 and s.organization_id = $1 ->> 1`,
      [this.integrationId, this.scope.organizationId, String(this.stored.version)],
    );
    this.takeRows(rows);
  }

  private async change<T>(tx: Transaction, action: (state: FakeState) => T) {
    const place = [this.integrationId, this.scope.organizationId];
    await tx.query(
      `insert into fake_states (integration_id, organization_id, newest) values ($1, $2, $3)
       on conflict do nothing`,
      [...place, firstMadeNumber],
    );
    await tx.query(
      'select from fake_states where integration_id = $1 and organization_id = $2 for update',
      place,
    );
    const rows = await tx.query<StoredRow>(
      `select ${columns} from fake_states s
       left join fake_entries e on e.integration_id = s.integration_id and e.version > $3
       where s.integration_id = $1 and s.organization_id = $2`,
      [...place, this.stored.version],
    );
    this.takeRows(rows);
    const state = new RequestState(this.stored);
    const result = action(state);
    if (!state.hasChanges) return { result, changed: undefined };
    const entries = [...state.changes()].map((one): StoredEntry => ({
      ...one,
      bytes: formatJson(one.entry).length,
    }));
    this.checkSize(entries);
    const version = this.stored.version + 1;
    await this.save(tx, entries, version, state.newest);
    await this.files.refer(tx, changedFiles(state.rewritten()));
    return { result, changed: { entries, version, newest: state.newest } };
  }

  /** @throws ApiError 409 */
  private checkSize(entries: readonly StoredEntry[]): void {
    const added = entries.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    const limit =
      this.stored.size + entries.length > this.maxRecords
        ? `${this.maxRecords} changed records`
        : this.stored.bytes + added > maxEntryBytes
          ? `${maxEntryBytes / 1_048_576} MB of changed records`
          : undefined;
    if (limit !== undefined)
      throw new ApiError(409, `the mock keeps at most ${limit}`, {
        remediation: 'Create another integration of this provider, and delete this one.',
      });
  }

  private async save(
    tx: Transaction,
    entries: readonly StoredEntry[],
    version: number,
    newest: number,
  ): Promise<void> {
    const place = [this.integrationId, this.scope.organizationId];
    await tx.query(
      `insert into fake_entries (integration_id, organization_id, collection, id, version, entry)
       select $1, $2, one ->> 'collection', one ->> 'id', $3, one -> 'entry' from jsonb_array_elements($4::jsonb) one
       on conflict (integration_id, collection, id) do update set version = excluded.version, entry = excluded.entry`,
      [...place, version, formatJson(entries)],
    );
    await tx.query(
      'update fake_states set version = $3, newest = $4 where integration_id = $1 and organization_id = $2',
      [...place, version, newest],
    );
  }

  private takeRows(rows: readonly StoredRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    const entries = rows.flatMap(({ collection, id, version, entry }) =>
      collection === null
        ? []
        : [{ collection, id, version, entry: parseJson(entry) as Entry, bytes: entry.length }],
    );
    entries.sort((a, b) => a.version - b.version);
    this.take(entries, first.state_version, first.newest);
  }

  /** Takes over entries, unless another request has read a newer state meanwhile. */
  private take(entries: readonly StoredEntry[], version: number, newest: number): void {
    if (version > this.stored.version) this.stored.apply(entries, version, newest);
  }
}
