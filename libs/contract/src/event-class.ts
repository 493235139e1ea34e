import { recordShapes } from './record-shapes.js';

interface EventClass {
  class: number;
  category: number;
}

/** The classes of OCSF by their names, as the contract has them; undefined until one is needed. */
let classes: ReadonlyMap<unknown, EventClass> | undefined;

/**
 * Fills in the class and the category of OCSF records that have 0 there: clients with a field for each number send it for those that they
 * have not set. Changes the body: a record, a list of records, or an object with such a list.
 */
export function completeClasses(body: unknown): void {
  if (Array.isArray(body)) for (const record of body) completeClass(record);
  else if (typeof body === 'object' && body !== null) {
    completeClass(body);
    for (const value of Object.values(body))
      if (Array.isArray(value)) for (const record of value) completeClass(record);
  }
}

/** Fills in the class and the category of an OCSF record that has 0 there, by its `class_name` or its `type_uid`. */
export function completeClass(record: unknown): void {
  if (typeof record !== 'object' || record === null) return;
  const event = record as Record<string, unknown>;
  if (event['class_uid'] !== 0 && event['category_uid'] !== 0) return;
  classes ??= readClasses();
  const found = classes.get(event['class_name']) ?? classByNumbers(event);
  if (event['class_uid'] === 0) event['class_uid'] = found.class;
  if (event['category_uid'] === 0) event['category_uid'] = found.category;
}

/** A type is 100 times its class plus an activity, a class 1,000 times its category plus a number, behind the number of an extension. */
function classByNumbers({ type_uid: type, class_uid: uid }: Record<string, unknown>): EventClass {
  const own = typeof uid === 'number' && uid > 0 ? uid : Math.floor(Number(type) / 100);
  const known = Number.isSafeInteger(own) ? own : 0;
  return { class: known, category: Math.floor((known % 100_000) / 1_000) };
}

function readClasses(): ReadonlyMap<unknown, EventClass> {
  const { types } = recordShapes();
  const numberOf = (name: string, field: string) => {
    const type = types[name];
    const shape = type !== undefined && 'fields' in type ? type.fields[field] : undefined;
    return typeof shape === 'object' ? Number(shape.values[0]) : 0;
  };
  return new Map(
    Object.values(types).flatMap((type) =>
      'by' in type && type.by === 'class_name'
        ? Object.entries(type.of).map(([name, of]): [unknown, EventClass] => [
            name,
            { class: numberOf(of, 'class_uid'), category: numberOf(of, 'category_uid') },
          ])
        : [],
    ),
  );
}
