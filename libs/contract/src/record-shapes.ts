import { readFileSync } from 'node:fs';

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
