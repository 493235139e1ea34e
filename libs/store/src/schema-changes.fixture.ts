import type pg from 'pg';

/**
 * The newest migration of the last release; set it with each release. A process of that release runs on the tables of the next one during
 * an upgrade, so the migrations after this one may only add.
 */
export const lastReleased = 1_763_700_199_000;

interface Column {
  type: string;
  isRequired: boolean;
  /** PostgreSQL sets a value if an insert does not name the column. */
  hasDefault: boolean;
}

/** The columns of each table, by name. */
export type Schema = ReadonlyMap<string, ReadonlyMap<string, Column>>;

/** Reads the tables of the current schema. Partitions follow their tables. */
export async function readSchema(client: pg.Client): Promise<Schema> {
  const { rows } = await client.query<Column & { table: string; column: string }>(`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type,
      attnotnull as "isRequired",
      atthasdef or attidentity <> '' or attgenerated <> '' as "hasDefault"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not relispartition and attnum > 0 and not attisdropped`);
  const schema = new Map<string, Map<string, Column>>();
  for (const { table, column, ...facts } of rows) {
    const columns = schema.get(table) ?? new Map<string, Column>();
    schema.set(table, columns.set(column, facts));
  }
  return schema;
}

/** Returns the changes with which a process of the version before fails. A rename looks like what it is for that process: a loss. */
export function breakingChanges(before: Schema, after: Schema): string[] {
  return [...before].flatMap(([table, columns]) => {
    const now = after.get(table);
    if (now === undefined) return [`${table} is dropped or renamed`];
    const changed = [...columns].flatMap(([name, was]) => {
      const is = now.get(name);
      if (is === undefined) return [`${table}.${name} is dropped or renamed`];
      return [
        ...(is.type === was.type
          ? []
          : [`${table}.${name} changes from ${was.type} to ${is.type}`]),
        ...(is.isRequired && !was.isRequired && !is.hasDefault
          ? [`${table}.${name} is set not null without a default`]
          : []),
        ...(was.hasDefault && !is.hasDefault && is.isRequired
          ? [`${table}.${name} loses its default`]
          : []),
      ];
    });
    const added = [...now].filter(
      ([name, { isRequired, hasDefault }]) => !columns.has(name) && isRequired && !hasDefault,
    );
    return [
      ...changed,
      ...added.map(([name]) => `${table}.${name} is added not null without a default`),
    ];
  });
}
