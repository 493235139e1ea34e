import {
  compileDocument,
  formatJson,
  MappingRunError,
  valueUsesOfTemplate,
} from '@onefold/mapping';
import { parse } from 'yaml';
import { sharedTemplate } from '#ocsf';
import { parsePointer, valuesAt } from '#patch';
import type { ProviderFolder } from '../folders.js';
import type { Json } from '../over-fake/over-provider.js';
import {
  isSame,
  type Pairs,
  readValueTables,
  unheardOf,
  valuesFile,
  type ValueTable,
} from './value-tables.js';

/** Fields of ours that say how bad, in which state, when, who, which host, which file and which finding. */
const actedOn: ReadonlySet<string> = new Set(
  `severity status state time actor user entity device file finding_info finding resources
   priority assignee creator created_at updated_at due_date completion_date`.split(/\s+/),
);
/** Templates of Onefold that translate a value, and the field that they fill. */
const translating: readonly (readonly [name: RegExp, field: string])[] = [
  [/^ocsf\.severity_(?!of_id|caption)|^ocsf\.severity$/, 'severity'],
  [/^ocsf\.(?:finding_status|outcome)$/, 'status'],
  [/^ocsf\.risk_level$/, 'risk_level'],
];
/** Records without a time have the present one, which must be the same for all. */
const surroundings = { now: () => Date.UTC(2026, 0, 1), random: () => 0.5 };

/** Holds the mappings of a folder against its tables of values. @returns what is wrong, or missing in the tables */
export function valueFaults(folder: ProviderFolder): string[] {
  const tables = readValueTables(folder);
  const names = folder.list('mappings').map((file) => file.replace(/\.yaml$/, ''));
  const unknown = Object.keys(tables).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `${name}: there is no such mapping`),
    ...names.flatMap((name) => {
      const text = folder.read(`mappings/${name}.yaml`);
      const own = tables[name] ?? [];
      const faults = [...missingTables(text, own), ...own.flatMap((one) => wrongValues(text, one))];
      return faults.map((fault) => `${name}: ${fault}`);
    }),
  ].map((fault) => `${folder.shown(valuesFile)}: ${fault}`);
}

/** Lists the values that the mapping knows, and the fields that it fills, which no table has. */
function missingTables(text: string, tables: readonly ValueTable[]): string[] {
  const values = tables.flatMap((one) => Object.entries(one.values));
  const internal = Object.assign({}, ...tables.map((one) => one.internal)) as Record<
    string,
    string
  >;
  const pairs = values.flatMap(([, one]) => (typeof one === 'string' ? [] : [one]));
  const targets = values.map(([pointers]) => pointers.split(' -> ')[1] ?? '');
  const hasTarget = (field: string) =>
    targets.some((to) => [field, `${field}_id`].some((name) => `${to}/`.includes(`/${name}/`)));
  const { templates } = parse(text) as { templates: Record<string, string> };
  const uses = Object.entries(templates).map(([name, source]) => ({
    name,
    ...valueUsesOfTemplate(source),
  }));
  const compared = uses.flatMap((use) => use.compared);
  const isInternal = ({ expression }: { expression: string }) => expression in internal;
  return [
    ...compared
      .filter((one) => !isInternal(one))
      .filter(
        ({ values: known }) => !pairs.some((one) => known.every((value) => String(value) in one)),
      )
      .map(
        ({ expression, values: known }) =>
          `no table has all of the values of ${expression}: ${known.join(', ')}`,
      ),
    ...values.flatMap(([pointers, one]) =>
      typeof one === 'string' || unheardOf in one
        ? []
        : [`${pointers} has no line for ${unheardOf}`],
    ),
    ...uses
      .flatMap(({ applied }) => applied)
      .flatMap((name) =>
        translating.flatMap(([template, field]) => (template.test(name) ? [field] : [])),
      )
      .filter((field) => !hasTarget(field))
      .map((field) => `no table says what ${field} is`),
    ...uses
      .flatMap(({ name, assigned }) => (name === 'default' ? assigned : []))
      .filter((field) => actedOn.has(field) && !hasTarget(field) && !(field in internal))
      .map((field) => `no table says what ${field} is`),
    ...Object.keys(internal)
      .filter(
        (name) => !actedOn.has(name) && !compared.some(({ expression }) => expression === name),
      )
      .map((name) => `the mapping compares no ${name}`),
  ];
}

/** A value of the vendor, and whether ours is right for it. */
interface Line {
  given: unknown;
  isRight: (got: unknown) => boolean;
  /** Describes what is right. */
  right: string;
}

/** Lists the lines of a table that our records differ from. */
function wrongValues(text: string, { record, metadata = {}, values }: ValueTable): string[] {
  const compiled = compileDocument(text, { shared: sharedTemplate });
  const map = (given: Json): unknown => {
    const made = compiled.run(given, { metadata, surroundings });
    return made === undefined ? undefined : JSON.parse(formatJson(made.record));
  };
  return Object.entries(values).flatMap(([pointers, pairs]) => {
    const [theirs = '', ours = ''] = pointers.split(' -> ');
    return linesOf(pairs, at(record, theirs)).flatMap(({ given, isRight, right }) => {
      try {
        const got = at(map(put(record, theirs, given)), ours) ?? null;
        if (isRight(got)) return [];
        return [
          `${pointers} of ${JSON.stringify(given)} is ${JSON.stringify(got)}, and not ${right}`,
        ];
      } catch (error) {
        if (!(error instanceof MappingRunError)) throw error;
        return [`${pointers} of ${JSON.stringify(given)}: ${error.message}`];
      }
    });
  });
}

/** @param value what the record has there */
function linesOf(pairs: Pairs, value: unknown): Line[] {
  if (typeof pairs === 'string')
    return [{ given: value, isRight: (got) => isSame(pairs, value, got), right: `the ${pairs}` }];
  const lines = Object.entries(pairs).map(([key, expected]): Line => {
    const right = JSON.stringify(expected);
    return { given: valueOf(key, pairs), isRight: (got) => JSON.stringify(got) === right, right };
  });
  if ('' in pairs || Object.values(pairs).some(isObject)) return lines;
  // A table that an expression reads by an empty name is the whole table.
  return [...lines, { given: '', isRight: (got) => !isObject(got), right: 'one value' }];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The value that a key of a table stands for: a number or a truth where all of its keys are such. */
function valueOf(key: string, pairs: Exclude<Pairs, string>): unknown {
  const keys = Object.keys(pairs).filter((one) => one !== unheardOf && one !== '');
  const isPlain = keys.every((one) => /^(?:-?[0-9]+(?:\.[0-9]+)?|true|false)$/.test(one));
  return isPlain && keys.includes(key) ? JSON.parse(key) : key;
}

function at(record: unknown, pointer: string): unknown {
  return valuesAt(record, parsePointer(pointer) ?? [])[0]?.value;
}

/** Returns the record with a value at a pointer; what is missing on the way is made. */
function put(record: Json, pointer: string, value: unknown): Json {
  const copy = structuredClone(record);
  let place: Record<string, unknown> = copy;
  const tokens = parsePointer(pointer) ?? [];
  for (const [index, token] of tokens.entries()) {
    if (index === tokens.length - 1) place[token] = value;
    else place = (place[token] ??= /^[0-9]+$/.test(tokens[index + 1] ?? '') ? [] : {}) as Json;
  }
  return copy;
}
