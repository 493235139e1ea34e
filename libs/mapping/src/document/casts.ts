import type { Run } from '../language/run.js';
import { isNumber, Nothing, type Value } from '../language/values.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import { timestampOf } from '../methods/times/time-values.js';

type Cast = (value: Value, run: Run) => Value;

const method =
  (name: string): Cast =>
  (value, run) =>
    standardEnvironment.methods.get(name)?.run(value, [], run);

/** Unix milliseconds; numbers are taken for milliseconds already. */
const datetime: Cast = (value) =>
  isNumber(value) ? Number(value) : timestampOf(value).epochMillisecond;

const table: Record<string, Cast> = {
  string: method('string'),
  number: method('number'),
  boolean: method('bool'),
  array: method('array'),
  datetime,
};

/** The built-in casts, applied like templates. They skip the key when the value is null. */
export const casts: ReadonlyMap<string, Cast> = new Map(
  Object.entries(table).map(([name, cast]) => [
    name,
    (value, run) => (value === null || value === undefined ? Nothing : cast(value, run)),
  ]),
);
