import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { Condition } from './limits.js';
import { queryPrepared } from './query-prepared.js';

/** How the rows of a table are selected and become records. */
interface RowShape {
  /** `select … from <table> r where`. */
  select: string;
  /** The column of each property. */
  columns: ReadonlyMap<string, string>;
  toEntity: (row: Record<string, unknown>) => ObjectLiteral;
}

const shapes = new WeakMap<EntityMetadata, RowShape>();

/**
 * Finds the first row `r` that meets all conditions and has these values. The query builder of TypeORM takes longer to write such a
 * statement and to convert its row than the database to run it, so the statement is written here, from the same metadata.
 */
export async function findRow<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: new () => Entity,
  values: Partial<Entity>,
  conditions: readonly Condition[],
  lock: 'for update' | undefined,
): Promise<Entity | undefined> {
  const metadata = manager.connection.getMetadata(entity);
  const { select, columns, toEntity } = shapeOf(metadata);
  const parameters: unknown[] = [];
  const bind = (value: unknown) => `$${parameters.push(value)}`;
  const tests = Object.entries(values).map(([property, value]) => {
    const column = columns.get(property);
    if (column === undefined) throw new Error(`${metadata.name} has no column for ${property}`);
    return `r.${column} = ${bind(value)}`;
  });
  for (const { condition, values: named } of conditions) {
    const places = new Map<string, string>();
    const place = (name: string) => {
      const bound = places.get(name) ?? bind(named[name]);
      places.set(name, bound);
      return bound;
    };
    // A colon behind another one begins a type.
    tests.push(condition.replaceAll(/(?<!:):(\w+)/g, (_all, name: string) => place(name)));
  }
  const statement = `${select} ${tests.join(' and ')} limit 1 ${lock ?? ''}`;
  const [row] = await queryPrepared(manager, statement, parameters);
  return row === undefined ? undefined : (toEntity(row) as Entity);
}

function shapeOf(metadata: EntityMetadata): RowShape {
  const known = shapes.get(metadata);
  if (known) return known;
  const { columns, tablePath } = metadata;
  const list = columns.map((column) => `r.${column.databaseName} as "${column.propertyName}"`);
  const shape: RowShape = {
    select: `select ${list.join(', ')} from ${tablePath} r where`,
    columns: new Map(columns.map((column) => [column.propertyName, column.databaseName])),
    toEntity: (row) => {
      const entity = metadata.create() as ObjectLiteral;
      for (const column of columns)
        entity[column.propertyName] = metadata.connection.driver.prepareHydratedValue(
          row[column.propertyName],
          column,
        ) as unknown;
      return entity;
    },
  };
  shapes.set(metadata, shape);
  return shape;
}
