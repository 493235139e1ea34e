import { readFileSync } from 'node:fs';
import type { OperationId } from './operations.js';

/** A field of a record that can be compared. Lists contain texts, or values that are compared as texts. */
export interface RecordField {
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'enum' | 'list';
  /** The values of an enum, in the order of the contract. */
  values?: readonly string[];
  /** False for fields that a list cannot be ordered by, because a record may have several of them. */
  orders?: boolean;
}

/** `libs/contract/record-fields.mjs` describes the texts. */
type Code = string | { values: readonly string[] };
type Types = Readonly<Record<string, Readonly<Record<string, Code>>>>;

let table: { records: Readonly<Record<string, Code>>; types: Types } | undefined;

function read(): NonNullable<typeof table> {
  const file = new URL('./generated/record-fields.json', import.meta.url);
  return (table ??= JSON.parse(readFileSync(file, 'utf8')) as NonNullable<typeof table>);
}

/** The fields of the records that an operation returns, as the contract has them. */
export interface RecordFields {
  /** The fields at the top that can be compared. */
  readonly top: Readonly<Record<string, RecordField>>;
  /** Finds a field that can be compared, such as `device.os.name`; undefined if the contract has none of this name. */
  find(path: string): RecordField | undefined;
  /** True if the contract has a field of this name at the top, of any type. */
  has(name: string): boolean;
}

const known = new Map<string, RecordFields | undefined>();

/** Returns the fields of an operation's records; undefined if they are free, or if it returns none. */
export function recordFields(id: OperationId): RecordFields | undefined {
  if (!known.has(id)) known.set(id, readFields(id));
  return known.get(id);
}

function readFields(id: OperationId): RecordFields | undefined {
  const { records, types } = read();
  const code = records[id];
  const own = typeof code === 'string' ? typeOf(types, code) : undefined;
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
    has: (name) => Object.hasOwn(own, name),
    find: (path) => {
      if (Object.hasOwn(top, path)) return top[path];
      let [at, isList]: [Code | undefined, boolean] = [code, false];
      for (const name of path.split('.')) {
        const fields = typeof at === 'string' ? typeOf(types, at) : undefined;
        if (fields === undefined || !Object.hasOwn(fields, name)) return undefined;
        at = fields[name];
        isList ||= typeof at === 'string' && at.startsWith('[]');
      }
      return at === undefined ? undefined : fieldOf(at, isList);
    },
  };
}

function typeOf(types: Types, code: string): Types[string] | undefined {
  const name = /^(?:\[\])*#(.+)$/.exec(code)?.[1];
  return name === undefined ? undefined : types[name];
}

function fieldOf(code: Code, isList: boolean): RecordField | undefined {
  const orders = isList ? { orders: false } : {};
  if (typeof code !== 'string') return { type: 'enum', values: code.values, ...orders };
  if (code.startsWith('[]'))
    return /[#{}]/.test(code) ? undefined : { type: 'list', orders: false };
  if (code.startsWith('#') || code === '{}') return undefined;
  return { type: code as RecordField['type'], ...orders };
}
