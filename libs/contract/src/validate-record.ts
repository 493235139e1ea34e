import { isDateTime } from './formats.js';
import type { OperationId } from './operations.js';
import { type ObjectShape, recordShapes, type Shape, type UnionShape } from './record-shapes.js';

/** Something of a record that the contract does not allow. */
export interface RecordFault {
  /** JSON Pointer of the field. */
  pointer: string;
  message: string;
}

export type Check = (value: unknown) => RecordFault | undefined;

const records = new Map<string, Check | undefined>();
const types = new Map<string, Check>();

/**
 * Holds a record in our shape against the contract of the operation that returns it. Schemas of records know types, required fields and
 * enumerated values only, so closures over the table of shapes do it: validators generated for them would be 7 MB of code.
 * @returns the first fault; undefined if there is none, or if the records of the operation are free
 */
export function validateRecord(id: OperationId, record: unknown): RecordFault | undefined {
  if (!records.has(id)) {
    const shape = recordShapes().records[id];
    records.set(id, shape === undefined ? undefined : withId(shape, compile(shape)));
  }
  return records.get(id)?.(record);
}

/** The contract cannot say that an id must not be empty, and an empty one identifies nothing. */
function withId(shape: Shape, check: Check): Check {
  const type =
    typeof shape === 'string' ? recordShapes().types[shape.replace(/^\??#/, '')] : undefined;
  if (type === undefined || !('required' in type) || !type.required.includes('id')) return check;
  return (record) =>
    isObject(record) && record['id'] === ''
      ? { pointer: '/id', message: 'is empty' }
      : check(record);
}

/** Makes the check of a shape. */
export function compile(shape: Shape): Check {
  if (typeof shape !== 'string') return oneOf(shape.values, shape.null === true);
  if (shape.startsWith('?')) return orNull(compile(shape.slice(1)));
  if (shape.startsWith('[]')) return list(compile(shape.slice(2)));
  if (shape.startsWith('#')) return typeNamed(shape.slice(1));
  return scalars[shape] ?? unknownShape(shape);
}

function unknownShape(shape: string): never {
  throw new Error(`unknown shape ${shape}`);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isInteger(value);

const scalars: Readonly<Record<string, Check>> = {
  any: () => undefined,
  string: must('a string', (value) => typeof value === 'string'),
  boolean: must('a boolean', (value) => typeof value === 'boolean'),
  number: must('a number', (value) => typeof value === 'number' || typeof value === 'bigint'),
  integer: must('an integer', isInteger),
  time: must('a time in epoch milliseconds', isInteger),
  datetime: must(
    'a time such as 2026-01-31T12:00:00Z',
    (value) => typeof value === 'string' && isDateTime(value),
  ),
  object: must('an object', isObject),
};

function must(what: string, isValid: (value: unknown) => boolean): Check {
  return (value) =>
    isValid(value) ? undefined : { pointer: '', message: `must be ${what}, is ${shown(value)}` };
}

/** Shows the kind of a value, and no content: it belongs to a customer. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function orNull(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}

function oneOf(values: readonly unknown[], orNone: boolean): Check {
  const known = new Set(values);
  const listed = values.slice(0, 12).map(String).join(', ');
  return (value) =>
    known.has(typeof value === 'bigint' ? Number(value) : value) || (orNone && value === null)
      ? undefined
      : { pointer: '', message: `must be one of ${listed}${values.length > 12 ? ' …' : ''}` };
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value))
      return { pointer: '', message: `must be a list, is ${shown(value)}` };
    for (let index = 0; index < value.length; index += 1) {
      const fault = check(value[index]);
      if (fault !== undefined) return { ...fault, pointer: `/${index}${fault.pointer}` };
    }
    return undefined;
  };
}

/** Types may contain themselves, so they are compiled when they are first needed. */
function typeNamed(name: string): Check {
  return (value) => {
    let check = types.get(name);
    if (check === undefined) types.set(name, (check = compileType(name)));
    return check(value);
  };
}

function compileType(name: string): Check {
  const type = recordShapes().types[name];
  if (type === undefined) return unknownShape(`#${name}`);
  if ('values' in type) return compile(type);
  return 'by' in type ? union(type) : object(type);
}

function union({ by, of }: UnionShape): Check {
  const checks = new Map(Object.entries(of).map(([value, name]) => [value, typeNamed(name)]));
  const isKnown = oneOf([...checks.keys()], false);
  return (value) => {
    if (!isObject(value)) return { pointer: '', message: `must be an object, is ${shown(value)}` };
    const fault = isKnown(value[by]);
    if (fault !== undefined) return { ...fault, pointer: `/${by}` };
    return checks.get(value[by] as string)?.(value);
  };
}

function object({ fields, required }: ObjectShape): Check {
  const checks = new Map(Object.entries(fields).map(([name, shape]) => [name, compile(shape)]));
  return (value) => {
    if (!isObject(value)) return { pointer: '', message: `must be an object, is ${shown(value)}` };
    for (const name of required)
      if (value[name] === undefined) return { pointer: `/${name}`, message: 'is missing' };
    for (const name in value) {
      const inner = value[name];
      if (inner === undefined) continue; // JSON does not write it
      const fault = checks.get(name)?.(inner);
      if (fault !== undefined) return { ...fault, pointer: `/${name}${fault.pointer}` };
    }
    return undefined;
  };
}
