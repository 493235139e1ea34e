import { Entity, type ObjectLiteral } from 'typeorm';
import { defineIdPrefix } from '#config';
import type { Fields } from '#query';

/** What the rows of every kind have. */
export interface Row extends ObjectLiteral {
  id: string;
  organizationId: string;
  name: string;
}

/** How a kind of records is stored, found and limited: all there is to say of it, in one place. */
export interface RecordKind<Entity extends Row> {
  /** The class of its rows, with a decorator for each column. */
  entity: new () => Entity;
  table: string;
  /** What answers call it, such as `account`. */
  resource: string;
  /** Prefix of the ids, such as `acc`; absent where somebody else makes the ids. */
  prefix?: string;
  /** The column with the account the record belongs to; none for records of the organization. */
  account?: 'id' | 'accountId';
  /** SQL for the category of the integration the record `r` belongs to; null lets every category pass. */
  category?: string;
  /** True when several records of a list may have one name. */
  sharesNames?: true;
  /** What lists filter and order by. */
  fields: Fields;
}

/** The row of a kind. */
export type RowOf<Kind> = Kind extends { entity: new () => infer Row } ? Row : never;

const defined: RecordKind<never>[] = [];

/**
 * Declares a kind of records. Its table is made by a migration (`tenantColumns`, `protectTenantTables`); connections know every
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

/** The classes of all kinds. */
export function entitiesOfKinds(): (new () => object)[] {
  return defined.map(({ entity }) => entity);
}
