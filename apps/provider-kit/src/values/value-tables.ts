import { parse } from 'yaml';
import type { Value } from '@onefold/mapping';
import type { Json } from '../over-fake/over-provider.js';
import type { ProviderFolder } from '../folders.js';

/** Values of the vendor with ours, or how both are the same. */
export type Pairs = Record<string, unknown> | SameAs;
export type SameAs = 'same text' | 'same instant';

/** The values that people act on in records of a mapping, with ours. */
export interface ValueTable {
  /** A record of the vendor, in which one value after the other is put. */
  record: Json;
  /** Metadata that the mapping sees beside the record: `config`, `path`, `headers`. */
  metadata?: Record<string, Value>;
  /** By pointers in the vendor's record and in ours: `/state -> /status`. */
  values: Record<string, Pairs>;
  /** Expressions whose values are no vendor's, each with the reason. */
  internal?: Record<string, string>;
}

export const valuesFile = 'values.yaml';

/** A value that no vendor has. It is in each table, because vendors add values. */
export const unheardOf = 'unheard of';

/** Reads the tables of a folder, by mapping: one, or one for each kind of record that the mapping reads. */
export function readValueTables(folder: ProviderFolder): Record<string, ValueTable[]> {
  if (!folder.has(valuesFile)) return {};
  const tables = parse(folder.read(valuesFile)) as Record<string, ValueTable | ValueTable[]>;
  return Object.fromEntries(Object.entries(tables).map(([name, one]) => [name, [one].flat()]));
}

/** True of a value of ours that is the vendor's, in another form. A value that the vendor does not have is never the same. */
export function isSame(how: SameAs, theirs: unknown, ours: unknown): boolean {
  if ((typeof theirs !== 'string' && typeof theirs !== 'number') || theirs === '') return false;
  if (how === 'same text') return String(ours).toLowerCase() === String(theirs).toLowerCase();
  return instantOf(ours) === instantOf(theirs);
}

/** Whole milliseconds since 1970 of a time in any of its forms, as Onefold's times are. */
function instantOf(time: unknown): number {
  const number = Number(time);
  if (Number.isNaN(number)) return Date.parse(String(time));
  return Math.floor(number > 1e11 ? number : number * 1000);
}
