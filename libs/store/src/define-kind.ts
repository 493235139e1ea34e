import { Entity, type ObjectLiteral } from 'typeorm';
import { defineIdPrefix } from '#config';
import type { Fields } from '#query';

/** The columns that every kind has. */
export interface Row extends ObjectLiteral {
  id: string;
  organizationId: string;
  name: string;
}

/** Declares how a kind of records is stored, found and limited. */
export interface RecordKind<Entity extends Row> {
  /** The class of its rows, with a decorator for each column. */
  entity: new () => Entity;
  table: string;
  /** Its name in responses, such as `account`. */
  resource: string;
  /** Prefix of the ids, such as `acc`; absent if the ids are not created here. */
  prefix?: string;
  /** The column with the account the record belongs to; none for records of the organization. */
  account?: 'id' | 'accountId';
  /** SQL for the domain of the integration that the record `r` belongs to; null passes every limit by domain. */
  category?: string;
  /** True when rows with `built_in` belong to the organization's own account, see `Scope.own`. */
  builtIn?: true;
  /** True when several records of a list may have one name. */
  sharesNames?: true;
  /** The fields that lists can filter and order by. */
  fields: Fields;
  /**
   * Columns with an index for fields without one: they are in the same order and change more rarely. Lists are ordered by these first, so that
   * PostgreSQL only sorts rows that are equal there.
   */
  coarse?: Readonly<Record<string, string>>;
  /** The fields whose columns `onefold_search` finds by parts of them, and the table that has these columns and the ids of the records. */
  search?: { table: 'accounts' | 'integrations'; fields: readonly string[] };
  /** SQL that is true if a field of the type `list` of the record `r` has one of the values of a parameter; `&&` of its column when absent. */
  overlaps?: Readonly<Record<string, (values: string) => string>>;
}

/** The row of a kind. */
export type RowOf<Kind> = Kind extends { entity: new () => infer Row } ? Row : never;

const defined: RecordKind<never>[] = [];

/**
 * Declares a kind of records. A migration creates its table (`tenantColumns`, `protectTenantTables`); connections know every
 * kind that was declared before they were opened.
 */
export function defineKind<Kind extends RecordKind<Row>>(
  kind: Kind & RecordKind<RowOf<Kind>>,
): Kind {
  if (kind.prefix !== undefined) defineIdPrefix(kind.prefix);
  Entity(kind.table)(kind.entity);
  defined.push(kind as unknown as RecordKind<never>);
  return kind;
}

/** Takes a declaration back: connections opened from now on do not know the kind. For a spec, whose process runs others afterwards. */
export function forgetKind(kind: RecordKind<Row>): void {
  const at = defined.findIndex(({ table }) => table === kind.table);
  if (at >= 0) defined.splice(at, 1);
}

/** The classes of all kinds. */
export function entitiesOfKinds(): (new () => object)[] {
  return defined.map(({ entity }) => entity);
}
