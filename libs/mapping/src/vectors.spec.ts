import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  type CompileOptions,
  compileQuery,
  compileTemplate,
  Deleted,
  formatJson,
  LimitError,
  MappingError,
  Nothing,
  parseJson,
  RunError,
  Timestamp,
  typeName,
  type Value,
} from './index.js';
import { parseExpression } from './language/parse-expression.js';
import { Source } from './language/source.js';

/** A rule by which texts of errors differ: those of compile faults, or those whose text in the reference has a pattern. */
interface TextRule {
  reason: string;
  compiled?: true;
  expected?: string;
}

/** Numbers of the cases of a category: all, those that pass, and of their error texts all and those that are alike. */
interface Counts {
  category: string;
  cases: number;
  pass: number;
  texts: number;
  alike: number;
}

interface Vector {
  id: string;
  kind: string;
  mapping?: string;
  query?: string;
  value?: unknown;
  input?: unknown;
  input_meta?: Record<string, unknown>;
  overlay?: unknown;
  maps?: Record<string, string>;
  files?: object;
  vars?: Record<string, unknown>;
  messages?: {
    content?: string;
    bytes_b64?: string;
    structured?: unknown;
    meta?: Record<string, unknown>;
  }[];
  index?: number;
  flags?: string[];
  expect: Record<string, unknown>;
}

const file = join(process.cwd(), '../shared/mapping/vectors.json');
const deviations = parse(
  readFileSync(join(process.cwd(), 'libs/mapping/cases/deviations.yaml'), 'utf8'),
) as { reason: string; ids: string[] }[];

const textRules = parse(
  readFileSync(join(process.cwd(), 'libs/mapping/cases/error-texts.yaml'), 'utf8'),
) as TextRule[];
const published = parse(
  readFileSync(join(process.cwd(), 'libs/mapping/cases/conformance.yaml'), 'utf8'),
) as Counts[];

/** The category of a case: of the language by its chapter, of the others by what they check. */
function categoryOf({ id, kind }: Vector): string {
  const chapter = /v1(?:spec_(\w+)|(quirks)_test)/.exec(id);
  if (chapter) return `language: ${(chapter[1] ?? 'quirks').replaceAll('_', ' ')}`;
  if (kind === 'interpolation') return 'interpolation';
  return ['parse_error', 'parse_ok', 'lexer'].includes(kind) ? 'grammar' : `${kind} cases`;
}

/** The text that the reference has for a failure. */
function wantedText({ expect: wanted }: Vector): string | undefined {
  const text = wanted['error_contains'] ?? wanted['error_equals'] ?? wanted['error_text'];
  return typeof text === 'string' ? text : undefined;
}

/** Values as the vectors write them: `{"$bytes": …}`, `{"$int": …}` and so on. */
function typed(value: unknown): Value {
  if (Array.isArray(value)) return value.map(typed);
  if (typeof value !== 'object' || value === null) return value;
  const [[key, inner] = ['', undefined], ...more] = Object.entries(value);
  if (more.length === 0)
    switch (key) {
      case '$bytes':
        return Buffer.from(String(inner), 'base64');
      case '$int':
      case '$uint':
      case '$uint32':
        return BigInt(String(inner));
      case '$delete':
        return Deleted;
      case '$nothing':
        return Nothing;
      case '$time':
        return String(inner);
      case '$float':
        return Number(String(inner).replace('inf', 'Infinity'));
    }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typed(one)]));
}

function plain(value: Value): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : `integer ${value}`;
  if (typeof value === 'symbol' || (typeof value === 'number' && !Number.isFinite(value)))
    return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, plain(one)]),
  );
}

function same(a: Value, b: Value): boolean {
  const [one, other] = [plain(a), plain(b)];
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Some expectations are written for people: only what they say counts. */
function sameJson({ flags = [] }: Vector, one: string, other: string): boolean {
  return flags.includes('json-equal') && same(parseJson(one), parseJson(other));
}

const textOf = (value: Value) =>
  typeof value === 'string'
    ? value
    : value instanceof Uint8Array
      ? Buffer.from(value).toString()
      : formatJson(value);

function inputOf(vector: Vector): Value {
  const message = vector.messages?.[vector.index ?? 0];
  if (!message || (vector.kind === 'query' && 'value' in vector))
    return typed('input' in vector ? vector.input : vector.value);
  if (message.structured !== undefined) return typed(message.structured);
  const content =
    message.bytes_b64 === undefined
      ? message.content
      : Buffer.from(message.bytes_b64, 'base64').toString();
  try {
    return parseJson(content ?? '');
  } catch {
    return content;
  }
}

/** True when the reference reads only the beginning of a text and leaves the rest. */
function readsFirst({ query = '', expect: wanted }: Vector): boolean {
  const source = new Source(query);
  source.space();
  try {
    parseExpression(source);
  } catch {
    return 'error' in wanted;
  }
  if ('error' in wanted || query.slice(source.at) !== (wanted['remaining'] ?? '')) return false;
  return (
    !('value' in wanted) || same(compileQuery(query.slice(0, source.at))(null), wanted['value'])
  );
}

/** Whether the metadata after a run is that of the reference, which leaves it out where there is none, or where it was not looked at. */
function hasMetadata({ kind, expect: wanted }: Vector, metadata: Value): boolean {
  if ('meta' in wanted) return same(metadata, typed(wanted['meta']));
  return kind !== 'spec' || wanted['meta_unchecked'] === true || same(metadata, {});
}

/** A query after statements that set its variables. */
function withVariables({ query = '', vars }: Vector): string {
  if (!vars) return query;
  const lets = Object.entries(vars).map(([name, one]) => `let "${name}" = ${JSON.stringify(one)}`);
  return [...lets, `root = ${query}`].join('\n');
}

function passes(vector: Vector, tier: CompileOptions): boolean {
  const outputs = vector.expect['outputs'] as Record<string, unknown>[] | undefined;
  if (outputs && outputs.length === vector.messages?.length)
    return outputs.every((one, index) => passes({ ...vector, index, expect: one }, tier));
  const { expect: wanted } = vector;
  if (vector.kind === 'lexer' || 'remaining' in wanted) return readsFirst(vector);
  const fails = 'error_contains' in wanted || 'error_equals' in wanted || 'error_text' in wanted;
  const source = vector.mapping ?? withVariables(vector);
  try {
    if (vector.kind === 'parse_error' || vector.kind === 'parse_ok') {
      if (vector.query === undefined) compileTemplate(source);
      else compileQuery(source);
      return vector.kind === 'parse_ok' && !fails;
    }
    const input = inputOf(vector);
    const options = {
      surroundings,
      metadata: vector.input_meta ?? vector.messages?.[vector.index ?? 0]?.meta ?? {},
      ...('overlay' in vector ? { root: typed(vector.overlay) } : {}),
      ...(vector.flags?.some((flag) => flag.startsWith('mutation'))
        ? { root: structuredClone(input) }
        : {}),
      apply: (
        run: Parameters<ReturnType<typeof compileTemplate>['applyTo']>[0],
        name: string,
        target: Value,
      ) => {
        const map = vector.maps?.[name];
        if (map === undefined) throw new RunError(`map ${name} was not found`);
        return compileTemplate(map, tier).applyTo(run, target);
      },
    };
    if (vector.kind === 'query') {
      const got = vector.vars
        ? compileTemplate(source, tier).run(input, options).root
        : compileQuery(source, tier)(input, options);
      if (fails) return false;
      return 'text' in wanted
        ? textOf(got) === wanted['text'] || same(got, wanted['text'])
        : same(got, typed(wanted['value']));
    }
    const { root, metadata } = compileTemplate(source, tier).run(input, options);
    const got = root === Nothing ? input : root;
    if (fails) return false;
    if ('deleted' in wanted) return (got === Deleted) === wanted['deleted'];
    if (!hasMetadata(vector, metadata)) return false;
    if ('output_text' in wanted)
      return (
        textOf(got) === wanted['output_text'] ||
        sameJson(vector, textOf(got), String(wanted['output_text']))
      );
    if ('output_json' in wanted) return same(got, typed(wanted['output_json']));
    if ('output_type' in wanted) return typeName(got) === wanted['output_type'];
    return !('value' in wanted) || same(got, typed(wanted['value']));
  } catch (error) {
    if (!(
      error instanceof MappingError ||
      error instanceof RunError ||
      error instanceof LimitError
    ))
      throw error;
    failures.set(vector.id, error);
    return fails || vector.kind === 'parse_error';
  }
}

/** One time for all cases: texts of times that follow each other are not always in that order, as zeros at their ends are left out. */
const startedAt = Date.now();
const surroundings = { now: () => startedAt, random: Math.random };

/** The failure of each case that failed, to compare its text. */
const failures = new Map<string, Error | RunError>();

/** Compares the text of a failure. @returns undefined where there is none, or the rule by which it differs */
function textOfFailure(vector: Vector): 'alike' | TextRule | 'unknown' | undefined {
  const wanted = wantedText(vector);
  const failure = failures.get(vector.id);
  if (wanted === undefined || failure === undefined) return undefined;
  if (failure.message.includes(wanted)) return 'alike';
  const rule = textRules.find(({ compiled, expected = '$^' }) =>
    compiled ? failure instanceof MappingError : new RegExp(expected).test(wanted),
  );
  return rule ?? 'unknown';
}

// The vectors lie beside a developer's checkout; a newcomer's has none.
if (existsSync(file))
  describe.each([
    ['closures', { generateAfter: Infinity }],
    ['generated code', { generateAfter: 0 }],
  ])('the conformance vectors, run by %s', (_name, tier) => {
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
    const known = new Set(deviations.flatMap(({ ids }) => ids));

    it('pass, but for the deviations that are named with their reason', () => {
      const failing = vectors
        .filter((vector) => !known.has(vector.id) && !passes(vector, tier))
        .map(({ id }) => id);
      expect(failing).toEqual([]);
    });

    it('count as the page of conformance says, by category', () => {
      const counts = new Map<string, Counts>();
      for (const vector of vectors) {
        const category = categoryOf(vector);
        const count = counts.get(category) ?? { category, cases: 0, pass: 0, texts: 0, alike: 0 };
        counts.set(category, count);
        count.cases += 1;
        if (!known.has(vector.id) && passes(vector, tier)) count.pass += 1;
        const text = known.has(vector.id) ? undefined : textOfFailure(vector);
        if (text !== undefined) count.texts += 1;
        if (text === 'alike') count.alike += 1;
      }
      const sorted = [...counts.values()].sort((a, b) => (a.category < b.category ? -1 : 1));
      expect(sorted).toEqual(published);
    });

    it('have the texts of the reference for failures, but for rules that are named', () => {
      const outcomes = vectors.map((vector) => [vector.id, textOfFailure(vector)] as const);
      expect(outcomes.filter(([, one]) => one === 'unknown').map(([id]) => id)).toEqual([]);
      const used = new Set(outcomes.map(([, one]) => one));
      expect(textRules.filter((rule) => !used.has(rule)).map(({ reason }) => reason)).toEqual([]);
    });

    it('name no deviation that passes', () => {
      expect(
        vectors
          .filter((vector) => known.has(vector.id) && passes(vector, tier))
          .map(({ id }) => id),
      ).toEqual([]);
    });
  });

describe('the deviations', () => {
  it('have a reason each', () => {
    for (const { reason, ids } of deviations) {
      expect(reason.length).toBeGreaterThan(20);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
