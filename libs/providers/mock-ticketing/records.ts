import { LRUCache } from 'lru-cache';
import { ApiError } from '#contract';
import type { ProviderRecord, ProviderCall } from '#connect';
import { type Store, type Transaction, wholeOrganization } from '#store';

/** Maximum number of rows of a provider that the runtime filters, orders and counts. */
const maxRows = 10_000;

/** Integrations that are known to be filled; they never become empty again. */
const seeded = new LRUCache<string, true>({ max: 10_000 });

/** Collections of records of one integration, stored in the database, so that every replica sees the same. */
export class Records {
  private readonly organizationId: string;
  private readonly integrationId: string;
  private readonly usage: ProviderCall['usage'];

  constructor(
    private readonly store: Store,
    { integration, usage }: ProviderCall,
  ) {
    this.organizationId = integration.organizationId;
    this.integrationId = integration.id;
    this.usage = usage;
  }

  /** Fills the collections at the first use of the integration. */
  async seed(collections: Readonly<Record<string, readonly ProviderRecord[]>>): Promise<void> {
    if (seeded.has(this.integrationId)) return;
    await this.work(async (tx) => {
      const first = await tx.query(
        `insert into mock_records (integration_id, organization_id, collection, id, record)
         values ($1, $2, '', 'seeded', '{}') on conflict do nothing returning 1`,
        [this.integrationId, this.organizationId],
      );
      if (first.length === 0) return;
      for (const [collection, records] of Object.entries(collections))
        await tx.query(
          `insert into mock_records (integration_id, organization_id, collection, id, record)
           select $1, $2, $3, one ->> 'id', one from jsonb_array_elements($4::jsonb) one`,
          [this.integrationId, this.organizationId, collection, JSON.stringify(records)],
        );
    });
    seeded.set(this.integrationId, true);
  }

  /**
   * Returns a collection in the order of creation.
   * @param without a large field that is not loaded
   * @throws ApiError 400 if there are more than `maxRows`
   */
  async all(collection: string, without = ''): Promise<ProviderRecord[]> {
    const rows = await this.select(
      `select record - ($1 ->> 3) as record from mock_records where integration_id = $1 ->> 0 and organization_id = $1 ->> 1 and collection = $1 ->> 2
       order by position limit ${maxRows + 1}`,
      [collection, without],
    );
    if (rows.length > maxRows)
      throw new ApiError(400, `the provider has more than ${maxRows} ${collection}`, {
        remediation: 'Filter by a field that the provider can filter by itself.',
      });
    return rows;
  }

  /**
   * Returns the records that belong to another record, in the order of creation.
   * @param without a large field that is not loaded
   */
  async of(
    collection: string,
    owner: { field: string; id: string },
    without = '',
  ): Promise<ProviderRecord[]> {
    return this.select(
      `select record - ($1 ->> 5) as record from mock_records
       where integration_id = $1 ->> 0 and organization_id = $1 ->> 1 and collection = $1 ->> 2
         and record ->> ($1 ->> 3) = $1 ->> 4
       order by position limit ${maxRows}`,
      [collection, owner.field, owner.id, without],
    );
  }

  async find(collection: string, id: string): Promise<ProviderRecord | undefined> {
    const [row] = await this.select(
      'select record from mock_records where integration_id = $1 ->> 0 and organization_id = $1 ->> 1 and collection = $1 ->> 2 and id = $1 ->> 3',
      [collection, id],
    );
    return row;
  }

  /**
   * Returns a record with the records of another collection that belong to it, without a further statement.
   * @param parts the collection, its field with the id of the record, and a large field that is not loaded
   * @param as name of the field that they get; it is absent if there are none
   */
  async findWith(
    collection: string,
    id: string,
    parts: { collection: string; field: string; without: string },
    as: string,
  ): Promise<ProviderRecord | undefined> {
    const [row] = await this.select(
      `select record || coalesce(
         (select jsonb_build_object($1 ->> 7, jsonb_agg(part.record - ($1 ->> 6) order by part.position)) from mock_records part
          where part.integration_id = $1 ->> 0 and part.organization_id = $1 ->> 1 and part.collection = $1 ->> 4
            and part.record ->> ($1 ->> 5) = $1 ->> 3
          having count(*) > 0), '{}') as record
       from mock_records where integration_id = $1 ->> 0 and organization_id = $1 ->> 1 and collection = $1 ->> 2 and id = $1 ->> 3`,
      [collection, id, parts.collection, parts.field, parts.without, as],
    );
    return row;
  }

  /** Adds a record. @returns false if the id is taken */
  async insert(collection: string, record: ProviderRecord & { id: string }): Promise<boolean> {
    const rows = await this.query(
      `insert into mock_records (integration_id, organization_id, collection, id, record) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning record`,
      [collection, record.id, JSON.stringify(record)],
    );
    return rows.length > 0;
  }

  /** Returns the greatest number that an id of the collection ends in; 0 without one. */
  async greatestNumber(collection: string): Promise<number> {
    const [row] = await this.select(
      `select jsonb_build_object('number', coalesce(max(substring(id from '[0-9]{1,15}$')::bigint), 0)) as record
       from mock_records where integration_id = $1 ->> 0 and organization_id = $1 ->> 1 and collection = $1 ->> 2`,
      [collection],
    );
    return Number(row?.['number'] ?? 0);
  }

  /**
   * Locks and changes a record, so that no concurrent change is lost.
   * @returns the changed record, undefined if the id is unknown
   */
  async change<R extends ProviderRecord>(
    collection: string,
    id: string,
    change: (record: ProviderRecord) => R,
  ): Promise<R | undefined> {
    const place = [this.integrationId, this.organizationId, collection, id];
    const where = 'integration_id = $1 and organization_id = $2 and collection = $3 and id = $4';
    return await this.work(async (tx) => {
      const [found] = await tx.query<{ record: ProviderRecord }>(
        `select record from mock_records where ${where} for update`,
        place,
      );
      if (found === undefined) return undefined;
      const changed = change(found.record);
      await tx.query(`update mock_records set record = $5 where ${where}`, [
        ...place,
        JSON.stringify(changed),
      ]);
      return changed;
    });
  }

  /** Deletes a record. @returns false if the id is unknown */
  async delete(collection: string, id: string): Promise<boolean> {
    const rows = await this.query(
      `with gone as (delete from mock_records
         where integration_id = $1 and organization_id = $2 and collection = $3 and id = $4 returning record)
       select record from gone`,
      [collection, id],
    );
    return rows.length > 0;
  }

  private async select(
    statement: string,
    parameters: readonly string[],
  ): Promise<ProviderRecord[]> {
    this.usage.calledDatabase();
    const rows = await this.store.select<{ record: ProviderRecord }>(
      wholeOrganization(this.organizationId),
      statement,
      [this.integrationId, this.organizationId, ...parameters],
    );
    return rows.map(({ record }) => record);
  }

  private async query(statement: string, parameters: unknown[]): Promise<ProviderRecord[]> {
    return this.work(async (tx) => {
      const rows = await tx.query<{ record: ProviderRecord }>(statement, [
        this.integrationId,
        this.organizationId,
        ...parameters,
      ]);
      return Array.isArray(rows) ? rows.map(({ record }) => record) : [];
    });
  }

  private work<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.usage.calledDatabase();
    return this.store.write(wholeOrganization(this.organizationId), work);
  }
}
