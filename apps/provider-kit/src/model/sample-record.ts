import { leavesOf } from '../leaves.js';
import type { ModelField } from './schema-fields.js';

type Json = Record<string, unknown>;

const start = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Returns the values that a field may have here, each of which is found nowhere else in a record. */
export function valuesOf({ kind }: ModelField, index: number): unknown[] {
  const number = 100_000 + index;
  switch (kind) {
    case 'boolean':
      return [true, false];
    case 'integer':
      return [number, number + 500_000];
    case 'number':
      return [number + 0.5, number + 500_000.5];
    case 'time':
      return [timeOf(index), timeOf(index + 50_000)];
    case 'date':
      return [timeOf(index * 86_400).slice(0, 10), timeOf((index + 2_000) * 86_400).slice(0, 10)];
    case 'epoch':
      return [start / 1000 + index, start / 1000 + index + 50_000];
    case 'epoch_ms':
      return [start + index * 1_000, start + (index + 50_000) * 1_000];
    case 'epoch_text':
      return [`${start / 1000 + index}.000100`, `${start / 1000 + index + 50_000}.000100`];
    case 'url':
      return [`https://v${number}.example/x`, `https://w${number}.example/x`];
    case 'mail':
      return [`v${number}@vendor.example`, `w${number}@vendor.example`];
    case 'ip':
      return [
        `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`,
        `10.2.3.${(index % 250) + 1}`,
      ];
    case 'mac':
      return [`02:00:00:${hexOf(index)}`, `02:00:01:${hexOf(index)}`];
    case 'any':
      return [{ inner: `v${number}` }, { inner: `w${number}` }];
    case 'text':
      return [`v${number}`, `w${number}`];
    default:
      return kind.split('|');
  }
}

function hexOf(index: number): string {
  return (0x10000 + index)
    .toString(16)
    .padStart(6, '0')
    .replace(/(..)(?=.)/g, '$1:');
}

function timeOf(seconds: number): string {
  return new Date(start + seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/** Puts a value at a path of a record, in the first item of each list. */
export function put(record: Json, path: string, value: unknown): void {
  const steps = path.match(/[^.[\]{}]+|\[\]|\{\}/g) ?? [];
  const keys = steps.map((step) => (step === '[]' ? 0 : step === '{}' ? 'key' : step));
  let place: Json = record;
  for (const [at, key] of keys.entries()) {
    if (at === keys.length - 1) {
      place[key] = value;
      return;
    }
    const inner = place[key];
    if (typeof inner === 'object' && inner !== null) place = inner as Json;
    else {
      const made = (typeof keys[at + 1] === 'number' ? [] : {}) as Json;
      place[key] = made;
      place = made;
    }
  }
}

/** Makes a record with the first value of each field. */
export function makeRecord(
  fields: readonly (readonly [field: ModelField, index: number])[],
  always: Readonly<Json>,
): Json {
  const record: Json = {};
  for (const [field, index] of fields) put(record, field.path, valuesOf(field, index)[0]);
  for (const [path, value] of Object.entries(always)) put(record, path, structuredClone(value));
  return record;
}

/** Lists the values of a record of ours but null, by paths without the places in lists. */
export function pathsOf(record: unknown): [path: string, value: unknown][] {
  return leavesOf(record).flatMap(({ place, value }) =>
    value === null ? [] : [[place.replaceAll('/*', '').slice(1).replaceAll('/', '.'), value]],
  );
}
