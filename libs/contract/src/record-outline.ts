import type { OperationId } from './operations.js';
import { recordShapes, type Shape } from './record-shapes.js';

/** The fields of a record, or of an object in it. */
export interface RecordOutline {
  names: readonly string[];
  required: readonly string[];
  /** The fields of a field that is an object or a list of them; undefined if they are free. */
  inside: (name: string) => RecordOutline | undefined;
}

/** Returns the fields of the records that an operation returns; undefined if they are free, or if it returns none. */
export function recordOutline(id: OperationId): RecordOutline | undefined {
  const shape = recordShapes().records[id];
  return shape === undefined ? undefined : outlineOf(shape);
}

function outlineOf(shape: Shape): RecordOutline | undefined {
  const name = typeof shape === 'string' ? /^[?[\]]*#(.+)$/.exec(shape)?.[1] : undefined;
  const type = name === undefined ? undefined : recordShapes().types[name];
  if (type === undefined || 'values' in type) return undefined;
  if ('by' in type) return unionOf(Object.values(type.of).map((one) => outlineOf(`#${one}`)));
  const { fields, required } = type;
  return {
    names: Object.keys(fields),
    required,
    inside: (field) => {
      const inner = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return inner === undefined ? undefined : outlineOf(inner);
    },
  };
}

/** The fields of all types of a union; those are required that each of them requires. */
function unionOf(types: readonly (RecordOutline | undefined)[]): RecordOutline | undefined {
  const known = types.flatMap((one) => one ?? []);
  if (known.length < types.length) return undefined;
  const [first, ...others] = known;
  return {
    names: [...new Set(known.flatMap(({ names }) => names))],
    required: (first?.required ?? []).filter((name) =>
      others.every(({ required }) => required.includes(name)),
    ),
    inside: (field) => {
      const having = known.filter(({ names }) => names.includes(field));
      return unionOf(having.map(({ inside }) => inside(field)));
    },
  };
}
