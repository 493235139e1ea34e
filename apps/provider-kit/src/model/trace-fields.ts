import { compileTemplate, formatJson, MappingRunError, type Value } from '@onefold/mapping';
import type { CompiledProvider } from '#provider-document';
import { makeRecord, pathsOf, put, valuesOf } from './sample-record.js';
import type { ModelField } from './schema-fields.js';
import type { ModelRecord } from './vendor-model.js';

/** Where a field of the vendor is in our record. */
export interface TracedField {
  path: string;
  /** Paths of our record, without those in `unmapped`. */
  mapped: string[];
  isUnmapped: boolean;
}

type MapRecord = (record: Record<string, unknown>) => [path: string, value: unknown][];

/** Records without a time have the present one, which must be the same for all. */
const surroundings = { now: () => Date.UTC(2026, 0, 1), random: () => 0.5 };
/** Fields of ours that only repeat others. */
const repeats = /^(?:message|observables|raw_data)(?:\.|$)/;

/**
 * Finds where each field of a vendor's record is in ours, by the mapping alone: a value that is only in this field, or else what changes in our
 * record with the field, in a record with all fields and in one with few.
 */
export function traceFields(
  provider: CompiledProvider,
  record: ModelRecord,
  config: Record<string, Value>,
): TracedField[] {
  const map = mapOf(provider, record, config);
  const indexed = record.fields.map((field, index) => [field, index] as const);
  const asked = namesOf(provider, record);
  const own = indexed.filter(([{ path }]) => asked?.has(path.split(/[.[{]/)[0] ?? '') ?? true);
  const whole = () => makeRecord(own, record.always);
  const all = map(whole());
  const isAsked = new Set(own.map(([field]) => field));
  return indexed.map(([field, index]) => {
    const { path } = field;
    if (!isAsked.has(field)) return { path, mapped: [], isUnmapped: false };
    const seen = placesOfValue(all, field, index);
    if (seen.length > 0) return tracedField(path, seen);
    // A record with few fields is mapped much faster.
    const bases = [() => makeRecord([], record.always), whole];
    return tracedField(path, changesOf(map, field, index, bases));
  });
}

function tracedField(path: string, places: readonly string[]): TracedField {
  const own = places.filter((place) => !repeats.test(place));
  const mapped = (own.length > 0 ? own : places).filter((place) => !isUnmapped(place));
  return { path, mapped: [...new Set(mapped)].sort(), isUnmapped: places.some(isUnmapped) };
}

function isUnmapped(place: string): boolean {
  return place === 'unmapped' || place.startsWith('unmapped.');
}

/** Finds a value that no other field has; nothing for kinds whose values others may have, too. */
function placesOfValue(
  leaves: readonly [string, unknown][],
  field: ModelField,
  index: number,
): string[] {
  const { kind } = field;
  if (kind === 'boolean' || kind.includes('|')) return [];
  const [value] = valuesOf(field, index);
  const text = pathsOf(value).map(([, leaf]) => String(leaf))[0] ?? '';
  const instant = /^(?:time|epoch|epoch_ms|epoch_text)$/.test(kind) ? instantOf(value) : undefined;
  return leaves.flatMap(([path, found]) => {
    const isFound =
      typeof found === 'string' && (kind === 'text' || kind === 'any' || kind === 'url')
        ? found.includes(text)
        : String(found) === text;
    const isInstant = instant !== undefined && instantOf(found) === instant;
    return isFound || isInstant ? [path] : [];
  });
}

/** Seconds since 1970 of a time in any of its forms. */
function instantOf(value: unknown): number | undefined {
  const number = Number(value);
  if (!Number.isNaN(number)) return Math.floor(number > 1e11 ? number / 1000 : number);
  const ms = Date.parse(String(value));
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** Lists the places of our record that differ between values of a field, or where it is absent, in the first base in which one does. */
function changesOf(
  map: MapRecord,
  field: ModelField,
  index: number,
  bases: (() => Record<string, unknown>)[],
): string[] {
  for (const base of bases) {
    const records = valuesOf(field, index).map((value) => {
      const record = base();
      put(record, field.path, value);
      return record;
    });
    const [first, ...others] = [...records, base()]
      .flatMap((one) => mapIfPossible(map, one))
      .map((leaves) => new Set(leaves.map(([path, value]) => `${path} ${formatJson(value)}`)));
    const changed = others.flatMap((other) =>
      [...(first ?? []), ...other].filter((one) => first?.has(one) !== other.has(one)),
    );
    if (changed.length > 0) return changed.map((one) => one.slice(0, one.indexOf(' ')));
  }
  return [];
}

/** Maps a record with few fields, which may lack one that the mapping cannot do without. */
function mapIfPossible(map: MapRecord, record: Record<string, unknown>): ReturnType<MapRecord>[] {
  try {
    return [map(record)];
  } catch (error) {
    if (error instanceof MappingRunError) return [];
    throw error;
  }
}

function mapOf(
  { mappings, source }: CompiledProvider,
  { mapping, input, path }: ModelRecord,
  config: Record<string, Value>,
): MapRecord {
  const compiled = mappings.get(mapping);
  if (compiled === undefined) throw new Error(`${source.provider} has no mapping ${mapping}`);
  const shape = input === undefined ? undefined : compileTemplate(input);
  return (record) => {
    const given = JSON.parse(JSON.stringify(record)) as Value;
    const read = shape === undefined ? given : shape.run(given).root;
    const made = compiled.run(read, { metadata: { config, path }, surroundings });
    return made === undefined ? [] : pathsOf(JSON.parse(formatJson(made.record)));
  };
}

/** The names that the requests of the operation select. */
function namesOf(
  { source }: CompiledProvider,
  { selectedBy, name }: ModelRecord,
): ReadonlySet<string> | undefined {
  if (selectedBy === undefined) return undefined;
  const text = JSON.stringify(source.operations[selectedBy] ?? {});
  const found = /\$select\\" = \\"([^"\\]+)\\"/.exec(text)?.[1];
  if (found === undefined) throw new Error(`${selectedBy} selects no fields of ${name}`);
  return new Set(found.split(','));
}

/** Finds the reason for which a field is in none of our records. */
export function reasonOf({ dropped }: ModelRecord, path: string): string | undefined {
  return Object.entries(dropped).find(([pattern]) => new RegExp(pattern).test(path))?.[1];
}
