import type { EntityManager } from 'typeorm';
import { ApiError } from '#contract';
import type { RecordKind, Row, RowOf } from './define-kind.js';
import { kinds } from './kinds.js';
import { Organization, organizationGone } from './organization.js';
import { Records, type SeenRecord } from './records.js';
import { type Scope, wholeOrganization } from './scope.js';

type Kinds = typeof kinds;

/** The tenant's records inside one transaction, as far as the scope reaches: `tx.accounts`, `tx.members`, … */
export type Transaction = TransactionBase & {
  readonly [Name in keyof Kinds]: Records<RowOf<Kinds[Name]>>;
};

/** The records of a kind, to be read. */
type Readable<Entity extends Row> = Pick<
  Records<Entity>,
  'get' | 'getLocked' | 'find' | 'all' | 'byIds' | 'byNames' | 'list' | 'kind'
>;

/** The reading part of a transaction: functions that accept it work in both. */
export type Reader = Pick<TransactionBase, 'scope' | 'query' | 'organization' | 'manager'> & {
  readonly [Name in keyof Kinds]: Readable<RowOf<Kinds[Name]>>;
} & {
  records<Entity extends Row>(kind: RecordKind<Entity>): Readable<Entity>;
  limitedTo(accounts: Scope['accounts']): Reader;
  inOrganization<T>(organizationId: string, work: (tx: Reader) => Promise<T>): Promise<T>;
};

/** Opens the view of a scope on a transaction of the database. */
export function openTransaction(
  manager: EntityManager,
  scope: Scope,
  saw: (seen: SeenRecord) => void = () => undefined,
  forgotten: string[] = [],
): Transaction {
  return new TransactionBase(manager, scope, saw, forgotten) as Transaction;
}

class TransactionBase {
  constructor(
    readonly manager: EntityManager,
    readonly scope: Scope,
    private readonly saw: (seen: SeenRecord) => void,
    private readonly forgotten: string[],
  ) {}

  /** The records of a kind. */
  records<Entity extends Row>(kind: RecordKind<Entity>): Records<Entity> {
    return new Records(this.manager, this.scope, kind, this.saw);
  }

  /** The same transaction, limited to these accounts. */
  limitedTo(accounts: Scope['accounts']): Transaction {
    return openTransaction(this.manager, { ...this.scope, accounts }, this.saw, this.forgotten);
  }

  /** Runs work on all of another organization, which it creates, in the same transaction: a failure undoes both. */
  async inOrganization<T>(
    organizationId: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const enter = (id: string) =>
      this.manager.query(`select set_config('onefold.organization_id', $1, true)`, [id]);
    await enter(organizationId);
    const result = await work(
      openTransaction(this.manager, wholeOrganization(organizationId), this.saw, this.forgotten),
    );
    await enter(this.scope.organizationId);
    return result;
  }

  /** The organization of the scope. */
  async organization(lock = false): Promise<Organization> {
    const query = this.manager
      .createQueryBuilder(Organization, 'o')
      .where('o.id = :id', { id: this.scope.organizationId });
    const found = await (lock ? query.setLock('pessimistic_write') : query).getOne();
    if (found === null) throw new ApiError(401, organizationGone);
    return found;
  }

  /** Runs a statement under the scope's organization, by row-level security alone: name the organization in it too. */
  async query<Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return await this.manager.query<Row[]>(statement, parameters);
  }

  /** Publishes an event to every process when the transaction is committed. Changes of records need none: the database tells of them. */
  async notify(event: 'bridge.changed', payload: Record<string, unknown>): Promise<void> {
    const message = { event, payload: { organizationId: this.scope.organizationId, ...payload } };
    await this.manager.query('select pg_notify($1, $2)', ['onefold', JSON.stringify(message)]);
  }

  /**
   * Has the caller of the transaction wait, once it is committed, until no connector uses integrations that depend on a record as they were
   * before. @param id of all of the organization by default
   */
  forget(id = this.scope.organizationId): void {
    this.forgotten.push(id);
  }
}

// One getter for each kind that several rooms use, by its name.
for (const [name, kind] of Object.entries<RecordKind<Row>>(kinds))
  Object.defineProperty(TransactionBase.prototype, name, {
    get(this: TransactionBase) {
      return this.records(kind);
    },
  });
