import type { OperationId } from './operations.js';
import { recordShapes, type Shape, type TypeShape } from './record-shapes.js';

/** A field of a record that can be compared. Lists contain texts, or values that are compared as texts. */
export interface RecordField {
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'enum' | 'list';
  /** The values of an enum, in the order of the contract. */
  values?: readonly string[];
  /** False for fields that a list cannot be ordered by, because a record may have several of them. */
  orders?: boolean;
}

/** The fields of the records that an operation returns, as the contract has them. */
export interface RecordFields {
  /** The fields at the top that can be compared. */
  readonly top: Readonly<Record<string, RecordField>>;
  /** Finds a field that can be compared, such as `device.os.name`; undefined if the contract has none of this name. */
  find(path: string): RecordField | undefined;
}

const known = new Map<string, RecordFields | undefined>();

/** Returns the fields of an operation's records; undefined if they are free, or if it returns none. */
export function recordFields(id: OperationId): RecordFields | undefined {
  if (!known.has(id)) known.set(id, readFields(id));
  return known.get(id);
}

function readFields(id: OperationId): RecordFields | undefined {
  const shape = recordShapes().records[id];
  const own = shape === undefined ? undefined : fieldsOf(shape);
  if (own === undefined) return undefined;
  const top: Record<string, RecordField> = Object.fromEntries(
    Object.entries(own).flatMap(([name, one]) => {
      const field = fieldOf(one, false);
      return field === undefined ? [] : [[name, field]];
    }),
  );
  // Lists are ordered by `time`, which is the creation of a record that has no other time.
  if (top['time'] === undefined && top['created_at'] !== undefined) top['time'] = top['created_at'];
  return {
    top,
    find: (path) => {
      if (Object.hasOwn(top, path)) return top[path];
      let [at, isList]: [Shape | undefined, boolean] = [shape, false];
      for (const name of path.split('.')) {
        const fields: Fields | undefined = at === undefined ? undefined : fieldsOf(at);
        if (fields === undefined || !Object.hasOwn(fields, name)) return undefined;
        at = fields[name];
        isList ||= typeof at === 'string' && at.includes('[]');
      }
      return at === undefined ? undefined : fieldOf(at, isList);
    },
  };
}

type Fields = Readonly<Record<string, Shape>>;

/** Returns the fields of a type, or of the items of a list; of a union those of all its types. */
function fieldsOf(shape: Shape): Fields | undefined {
  const type = typeOf(shape);
  if (type === undefined || 'values' in type) return undefined;
  if ('fields' in type) return type.fields;
  const merged: Record<string, Shape> = {};
  for (const name of Object.values(type.of))
    for (const [field, one] of Object.entries(fieldsOf(`#${name}`) ?? {}))
      merged[field] = merged[field] === undefined ? one : mergeShapes(merged[field], one);
  return merged;
}

/** A field of several types has the shape of the first one, and the values of all of them, such as `class_name`. */
function mergeShapes(first: Shape, other: Shape): Shape {
  if (typeof first === 'string' || typeof other === 'string') return first;
  return { ...first, values: [...new Set([...first.values, ...other.values])] };
}

function typeOf(shape: Shape): TypeShape | undefined {
  const name = typeof shape === 'string' ? /^[?[\]]*#(.+)$/.exec(shape)?.[1] : undefined;
  return name === undefined ? undefined : recordShapes().types[name];
}

const scalars: Readonly<Record<string, RecordField['type']>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  datetime: 'datetime',
  time: 'datetime',
};

function fieldOf(shape: Shape, isList: boolean): RecordField | undefined {
  const orders = isList ? { orders: false } : {};
  if (typeof shape !== 'string') {
    const texts = shape.values.filter((value): value is string => typeof value === 'string');
    return texts.length < shape.values.length
      ? { type: 'number', ...orders }
      : { type: 'enum', values: texts, ...orders };
  }
  const isScalarList = shape.includes('[]');
  const [name = ''] = /[a-z#].*/.exec(shape) ?? [];
  const type = 'values' in (typeOf(shape) ?? {}) ? 'string' : scalars[name];
  if (type === undefined) return undefined;
  return isScalarList ? { type: 'list', orders: false } : { type, ...orders };
}
