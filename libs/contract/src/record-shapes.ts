import { readFileSync } from 'node:fs';
import type { OperationId } from './operations.js';

/** Values that are enumerated. */
export interface ValuesShape {
  values: readonly unknown[];
  null?: true;
}

/** `libs/contract/record-shapes.mjs` describes the texts. */
export type Shape = string | ValuesShape;

export interface ObjectShape {
  fields: Readonly<Record<string, Shape>>;
  required: readonly string[];
}

export interface UnionShape {
  /** The field whose value tells which type it is. */
  by: string;
  of: Readonly<Record<string, string>>;
}

export type TypeShape = ObjectShape | UnionShape | ValuesShape;

interface Shapes {
  records: Readonly<Record<string, Shape>>;
  types: Readonly<Record<string, TypeShape>>;
}

let shapes: Shapes | undefined;

/** Returns the shapes of the records of all operations. They are read when they are first needed (about 3 ms). */
export function recordShapes(): Shapes {
  const file = new URL('./generated/record-shapes.json', import.meta.url);
  return (shapes ??= JSON.parse(readFileSync(file, 'utf8')) as Shapes);
}

const enumerated = new Map<OperationId, readonly string[]>();

/** Returns the fields of an operation's records whose values are enumerated, without those of inner objects. */
export function enumeratedFields(id: OperationId): readonly string[] {
  const known = enumerated.get(id);
  if (known !== undefined) return known;
  const { records, types } = recordShapes();
  const typeOf = (shape: Shape | undefined) =>
    typeof shape === 'string' ? types[shape.replace(/^\??#/, '')] : shape;
  const type = typeOf(records[id]);
  const fields = type !== undefined && 'fields' in type ? Object.entries(type.fields) : [];
  const found = fields.flatMap(([name, shape]) => {
    const inner = typeOf(shape);
    return inner !== undefined && 'values' in inner ? [name] : [];
  });
  enumerated.set(id, found);
  return found;
}
