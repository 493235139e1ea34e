import {
  type EntityManager,
  type ObjectLiteral,
  QueryFailedError,
  type SelectQueryBuilder,
} from 'typeorm';
import { isId } from '#config';
import { badRequest, conflict, notFound } from '#contract';
import type { Filter, Order } from '#query';
import type { RecordKind, Row } from './define-kind.js';
import { filterCondition, toLikePattern } from './filter-condition.js';
import { findRow } from './find-row.js';
import { type Condition, reachCondition } from './limits.js';
import type { ListQuery } from './list-query.js';
import { camelCase, snakeCase } from './naming.js';
import type { Scope } from './scope.js';

/** Rows that a total counts at most: PostgreSQL reads some thousand of them in a millisecond, and a list is to be answered within 20. */
export const maxCountedRows = 10_000;

/** Rows that are looked up by their ids when a search finds them; where there are more, a page of them is found sooner by reading rows in their order. */
const maxFoundRows = 5_000;

/** Maximum number of rows that are appended to a page because they have the name of its last row. */
const maxNamesakes = 1_000;

/** A single record that a transaction found or created. */
export interface SeenRecord {
  /** The name of its kind in responses: `account`, `integration`, … */
  resource: string;
  /** The id or name by which it was requested; absent for a created record. */
  key?: string;
  row: Readonly<Record<string, unknown>>;
}

/** How many rows pass the filters of a list. */
export interface Total {
  /** Absent if nobody asked. */
  total?: number;
  /** True if there are more rows than were counted. */
  totalIsMinimum?: true;
}

/** Values that columns have, or lists of values of which they have one. */
type Within<Entity> = {
  readonly [Column in keyof Entity]?: Entity[Column] | readonly Entity[Column][];
};

/** The records of one kind that a scope reaches, inside a transaction. Others seem not to exist. */
export class Records<Entity extends Row> {
  constructor(
    private readonly manager: EntityManager,
    private readonly scope: Scope,
    readonly kind: RecordKind<Entity>,
    private readonly onRecord: (seen: SeenRecord) => void = () => undefined,
  ) {}

  /** Returns a record by id or name. @throws ApiError 404 */
  async get(idOrName: string, within: Partial<Entity> = {}): Promise<Entity> {
    const found = await this.find(idOrName, within);
    if (found === undefined) throw notFound(this.kind.resource, idOrName);
    return found;
  }

  /** Like get, and locks the record until the transaction ends. */
  async getLocked(idOrName: string, within: Partial<Entity> = {}): Promise<Entity> {
    const found = await this.findLocked(idOrName, within);
    if (found === undefined) throw notFound(this.kind.resource, idOrName);
    return found;
  }

  /** Like getLocked; undefined if the scope does not contain it. */
  async findLocked(idOrName: string, within: Partial<Entity> = {}): Promise<Entity | undefined> {
    return await this.findRow(idOrName, within, 'for update');
  }

  /** Returns a record by id or name; undefined if the scope does not contain it. */
  async find(idOrName: string, within: Partial<Entity> = {}): Promise<Entity | undefined> {
    return await this.findRow(idOrName, within);
  }

  /** Returns all records with these values. */
  async all(values: Partial<Entity>): Promise<Entity[]> {
    return await this.equal(this.reachable(), values).orderBy('r.name').getMany();
  }

  /** Returns the records with these ids that the scope reaches. */
  async byIds(ids: readonly string[]): Promise<Entity[]> {
    if (ids.length === 0) return [];
    return await this.reachable().andWhere('r.id = any(:ids)', { ids }).getMany();
  }

  /** Returns the records with these names that the scope reaches. @param shared prevents changes of them until the transaction ends */
  async byNames(names: readonly string[], shared = false): Promise<Entity[]> {
    if (names.length === 0) return [];
    const query = this.reachable().andWhere('r.name = any(:names)', { names });
    return await (shared ? query.setLock('pessimistic_read') : query).getMany();
  }

  /**
   * Returns a page, and on request the count of all rows that pass the filters, up to {@link maxCountedRows}.
   * @param among limits the list to these ids, if the scope alone does not limit the caller enough
   */
  async list(
    query: ListQuery,
    within: Within<Entity> = {},
    among?: readonly string[],
  ): Promise<{ rows: Entity[] } & Total> {
    const seen = () => {
      const all = this.equal(this.reachable(), within);
      return among === undefined ? all : all.andWhere('r.id = any(:among)', { among });
    };
    const base = seen();
    for (const [index, filter] of query.filters.entries()) {
      const found = await this.search(filter);
      const { condition, values } =
        found === undefined
          ? filterCondition(filter, index, this.kind)
          : { condition: `r.id = any(:found_${index})`, values: { [`found_${index}`]: found } };
      base.andWhere(condition, values);
    }
    const total = query.total ? await this.count(base) : {};
    // TypeORM treats a limit of 0 as no limit.
    if (query.limit === 0) return { rows: [], ...total };
    const all = base.clone();
    const orders = query.orders.flatMap((order) => {
      const field = this.kind.coarse?.[order.field];
      return field === undefined ? [order] : [{ ...order, field }, order];
    });
    if (query.startAfter !== undefined) await this.startAfter(base, query.startAfter, orders, seen);
    for (const { field, direction } of orders) {
      const order = direction === 'asc' ? 'ASC' : 'DESC';
      // An index sorts missing values last when ascending and first when descending; a column without any can use it both ways.
      if (this.mayLack(field)) base.addOrderBy(`r.${camelCase(field)}`, order, 'NULLS LAST');
      else base.addOrderBy(`r.${camelCase(field)}`, order);
    }
    const rows = await base.addOrderBy('r.id').limit(query.limit).getMany();
    if (this.kind.sharesNames && rows.length === query.limit && query.orders.length === 1)
      rows.push(...(await this.namesakes(all, rows.at(-1))));
    return { rows, ...total };
  }

  /** Returns the ids of the rows that pass a filter by a part of a text; undefined if too many do, or there is no index of it. */
  private async search({ field, operator, values }: Filter): Promise<string[] | undefined> {
    const { search } = this.kind;
    if (operator !== 'like' || !search?.fields.includes(field)) return undefined;
    const [row] = await this.manager.query<{ ids: string[] | null }[]>(
      'select onefold_search($1, $2, $3, $4) as ids',
      [search.table, field, toLikePattern(String(values[0])), maxFoundRows],
    );
    return row?.ids ?? undefined;
  }

  private async count(all: SelectQueryBuilder<Entity>): Promise<Total> {
    const [rows, parameters] = all
      .clone()
      .select('1')
      .limit(maxCountedRows + 1)
      .getQueryAndParameters();
    const [counted] = await this.manager.query<{ count: number }[]>(
      `select count(*)::int as count from (${rows}) counted`,
      parameters,
    );
    const count = counted?.count ?? 0;
    return count <= maxCountedRows
      ? { total: count }
      : { total: maxCountedRows, totalIsMinimum: true };
  }

  /** @throws ApiError 409 if the name is in use */
  async insert(row: Entity): Promise<Entity> {
    await this.guard(row.name, () => this.manager.insert(this.kind.entity, row));
    this.onRecord({ resource: this.kind.resource, row });
    return row;
  }

  /** Writes the whole record. @throws ApiError 409 if the name is in use */
  async save(row: Entity): Promise<Entity> {
    const { id, organizationId: _mine, ...values } = row;
    await this.guard(row.name, () =>
      this.manager
        .createQueryBuilder()
        .update(this.kind.entity)
        .set(values as never)
        .where('id = :id', { id })
        .execute(),
    );
    return row;
  }

  async delete(row: Entity): Promise<void> {
    await this.manager
      .createQueryBuilder()
      .delete()
      .from(this.kind.entity)
      .where('id = :id', { id: row.id })
      .execute();
  }

  /** Returns an unused name: the wanted one, or that with the first free number appended. */
  async freeName(wanted: string, within: Partial<Entity> = {}): Promise<string> {
    if (isId(wanted)) return wanted;
    // A concurrent request for the same name waits until this transaction ends, and then sees that the name is in use.
    const { organizationId } = this.scope;
    await this.manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      JSON.stringify([this.kind.resource, organizationId, within, wanted]),
    ]);
    for (let from = 1, count = 1; ; from += count, count = Math.min(count * 2 + 8, 1_000)) {
      const names = Array.from({ length: count }, (_, index) =>
        from + index === 1 ? wanted : `${wanted}-${from + index}`,
      );
      const free = names.find(notIn(await this.takenOf(names, within)));
      if (free !== undefined) return free;
    }
  }

  /** Compares for equality, which can use an index; `like` behind row-level security reads every row. */
  private async takenOf(
    names: readonly string[],
    within: Partial<Entity>,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.equal(this.manager.createQueryBuilder(this.kind.entity, 'r'), within)
      .andWhere('r.name = any(:names)', { names })
      .select('r.name', 'name')
      .getRawMany<{ name: string }>();
    return new Set(rows.map(({ name }) => name));
  }

  private async findRow(
    idOrName: string,
    within: Partial<Entity>,
    lock?: 'for update',
  ): Promise<Entity | undefined> {
    const { organizationId } = this.scope;
    const key = { condition: '(r.id = :key or r.name = :key)', values: { key: idOrName } };
    const found = await findRow<Entity>(
      this.manager,
      this.kind.entity,
      { ...within, organizationId },
      [...this.reach(), key],
      lock,
    );
    if (found !== undefined)
      this.onRecord({ resource: this.kind.resource, key: idOrName, row: found });
    return found;
  }

  private equal(
    query: SelectQueryBuilder<Entity>,
    values: Within<Entity>,
  ): SelectQueryBuilder<Entity> {
    for (const [column, value] of Object.entries<unknown>(values)) {
      const equal = Array.isArray(value) ? `= any(:eq_${column})` : `= :eq_${column}`;
      query.andWhere(`r.${column} ${equal}`, { [`eq_${column}`]: value });
    }
    return query;
  }

  /** Rows of the organization whose account passes the scope's limits. */
  private reachable(): SelectQueryBuilder<Entity> {
    const query = this.manager
      .createQueryBuilder(this.kind.entity, 'r')
      .where('r.organizationId = :organizationId', { organizationId: this.scope.organizationId });
    for (const { condition, values } of this.reach()) query.andWhere(condition, values);
    return query;
  }

  /** The limits of the scope, for kinds whose records belong to an account or are built in for the organization's own. */
  private reach(): Condition[] {
    const { account, category, builtIn } = this.kind;
    const { own } = this.scope;
    if (builtIn && own !== undefined)
      return [{ condition: own === 'only' ? 'r.built_in' : 'not r.built_in', values: {} }];
    if (account === undefined) return [];
    return [reachCondition(this.scope, { account: `r.${snakeCase(account)}`, category })];
  }

  /** Returns the rows that a page would separate from its last row, because the next page begins after their name. */
  private async namesakes(
    all: SelectQueryBuilder<Entity>,
    last: Entity | undefined,
  ): Promise<Entity[]> {
    if (last === undefined) return [];
    const { name, id } = last;
    return await all
      .andWhere('r.name = :sharedName and r.id > :lastId', { sharedName: name, lastId: id })
      .orderBy('r.id')
      .limit(maxNamesakes)
      .getMany();
  }

  /** Rows behind the one with this name or id, in the order of the list. */
  private async startAfter(
    query: SelectQueryBuilder<Entity>,
    key: string,
    orders: readonly Order[],
    seen: () => SelectQueryBuilder<Entity>,
  ): Promise<void> {
    const [only] = orders;
    const byId = isId(key) ? await seen().andWhere('r.id = :key', { key }).getOne() : null;
    if (byId === null && orders.length === 1 && only) {
      query.andWhere(`r.name ${only.direction === 'asc' ? '>' : '<'} :key`, { key });
      return;
    }
    const last = byId ?? (await this.named(key, seen()));
    // (a, b, c) behind the row's: a greater; or a equal and b greater; and so on. A missing value is the greatest.
    const steps: readonly Order[] = [...orders, { field: 'id', direction: 'asc' }];
    const parts = steps.map(({ direction }, index) => {
      const equal = steps
        .slice(0, index)
        .map((one) => `r.${camelCase(one.field)} is not distinct from :after_${one.field}`);
      const column = `r.${camelCase(steps[index]?.field ?? 'name')}`;
      const bound = `:after_${steps[index]?.field ?? 'name'}`;
      const beyond = `(${column} ${direction === 'asc' ? '>' : '<'} ${bound} or (${column} is null and ${bound} is not null))`;
      return `(${[...equal, beyond].join(' and ')})`;
    });
    const values = Object.fromEntries(
      steps.map(({ field }) => [
        `after_${field}`,
        (last as ObjectLiteral)[camelCase(field)] as unknown,
      ]),
    );
    query.andWhere(`(${parts.join(' or ')})`, values);
    // Implied by the other conditions, but allows an index to find the beginning. An index has the first fields in one direction.
    const end = steps.findIndex(
      ({ field, direction }) => this.mayLack(field) || direction !== steps[0]?.direction,
    );
    const first = steps.slice(0, end === -1 ? steps.length : end);
    if (first.length > 0)
      query.andWhere(
        `(${first.map(({ field }) => `r.${camelCase(field)}`).join(', ')}) ${first[0]?.direction === 'asc' ? '>=' : '<='}
         (${first.map(({ field }) => `:after_${field}`).join(', ')})`,
      );
  }

  private async named(name: string, seen: SelectQueryBuilder<Entity>): Promise<Entity> {
    const [found, other] = await seen.andWhere('r.name = :name', { name }).limit(2).getMany();
    if (found !== undefined && other === undefined) return found;
    throw badRequest({
      location: 'query',
      pointer: 'start_after',
      message: found ? 'names several records of this list' : 'names no record of this list',
      remediation: found
        ? 'Send the id of the last record of the page before.'
        : 'Send the name or id of the last record of the page before, or begin again without it.',
      value: name,
    });
  }

  private mayLack(field: string): boolean {
    const metadata = this.manager.connection.getMetadata(this.kind.entity);
    return metadata.findColumnWithPropertyName(camelCase(field))?.isNullable ?? true;
  }

  private async guard(name: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const kind = this.kind.resource.replaceAll('_', ' ');
      // It existed when the work read it; another call has deleted it since.
      if (isViolation(error, '23503'))
        throw conflict(
          `a record that the ${kind} "${name}" belongs to was deleted in the meantime`,
          'Read the records again, and repeat the change if it is still right.',
        );
      if (!isViolation(error, '23505')) throw error;
      throw conflict(
        `the name "${name}" is taken by another ${kind}`,
        'Choose another name, or leave it out to have one made.',
      );
    }
  }
}

function notIn(taken: ReadonlySet<string>): (name: string) => boolean {
  return (name) => !taken.has(name);
}

/** True when PostgreSQL refused for this reason: 23505 unique, 23503 foreign key. */
export function isViolation(error: unknown, code: string): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { code?: string }).code === code
  );
}
