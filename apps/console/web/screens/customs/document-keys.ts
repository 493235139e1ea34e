import { operationsOfDomain } from '../../api/operations.js';
import { type Complete, type Completion, matching } from '../../parts/completion.js';
import type { Schema as Plain } from '../../forms/schema.js';
import { providersOf } from './outline.js';

/** The schema of provider documents, for what completion needs of it. */
interface Schema extends Plain {
  $defs?: Readonly<Record<string, Schema>>;
}

const keyAtEnd = /^( *(?:- +)*)(\w*)$/;
const valueAtEnd = /^ *(?:- +)*([\w.-]+): +(\w*)$/;

/** Returns what completes keys of a provider document and values of which there are few, by the document's schema. */
export function keyCompletion(schema: unknown): Complete {
  const whole = schema as Schema;
  return (text, offset) => {
    const before = text.slice(0, offset).split('\n');
    const line = before.pop() ?? '';
    const key = keyAtEnd.exec(line);
    const value = valueAtEnd.exec(line);
    const typed = (key ?? value)?.[2] ?? '';
    if (!key && !value) return undefined;
    const path = pathAt(before, line);
    if (path === undefined) return undefined;
    const from = offset - typed.length;
    if (value) {
      const names = schemasAt(whole, [...path, value[1] ?? '']).flatMap((one) => valuesOf(one));
      return names.length === 0 ? undefined : { from, options: matching(names, typed) };
    }
    if (path.length === 1 && path[0] === 'operations')
      return { from, options: matching(offeredBy(text), typed) };
    const keys = schemasAt(whole, path).flatMap((one) => keysOf(whole, one));
    return keys.length === 0 ? undefined : { from, options: matching(keys, typed) };
  };
}

/** The keys around the last line, `-` for an entry of a list; undefined within a text of several lines. */
function pathAt(before: readonly string[], line: string): string[] | undefined {
  const path: string[] = [];
  const [entry = ''] = /^ *(?:- +)*/.exec(line) ?? [];
  let depth = entry.length;
  if (entry.includes('-')) {
    path.unshift('-');
    depth = entry.indexOf('-');
  }
  for (const one of before.toReversed()) {
    if (depth === 0) break;
    const [, space = '', dash = '', name = '', rest = ''] =
      /^( *)((?:- +)?)["']?([\w.-]+)["']?:(.*)$/.exec(one) ?? [];
    if (name === '') continue;
    const at = space.length + dash.length;
    // The keys of an entry stand beside its first one, and belong to the list that is above.
    if (at < depth) {
      if (/^\s*[|>]/.test(rest)) return undefined;
      path.unshift(name);
      depth = at;
    }
    if (dash !== '' && at === depth) {
      path.unshift('-');
      depth = space.length;
    }
  }
  return path;
}

function schemasAt(whole: Schema, path: readonly string[]): Schema[] {
  let found = [resolved(whole, whole)];
  for (const step of path)
    found = found.flatMap((one) => {
      const inner: Schema | undefined =
        step === '-' ? one.items : (one.properties?.[step] ?? others(one));
      return inner === undefined ? [] : alternatives(whole, inner);
    });
  return found;
}

function others({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? (additionalProperties as Schema) : undefined;
}

function alternatives(whole: Schema, schema: Schema): Schema[] {
  const one = resolved(whole, schema);
  return [
    one,
    ...[...(one.oneOf ?? []), ...(one.anyOf ?? [])].map((each) => resolved(whole, each)),
  ];
}

function resolved(whole: Schema, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const { [$ref.split('/').at(-1) ?? '']: found = {} } = whole.$defs ?? {};
  return { ...found, ...beside };
}

function keysOf(whole: Schema, { properties = {}, required = [] }: Schema): Completion[] {
  return Object.entries(properties).map(([name, given]) => {
    const { description } = resolved(whole, given);
    return {
      name,
      inserted: `${name}: `,
      detail: required.includes(name) ? 'needed' : '',
      ...(description === undefined ? {} : { description }),
    };
  });
}

function valuesOf({ enum: values = [], const: only }: Schema): Completion[] {
  return [...values, ...(only === undefined ? [] : [only])].map((one) => ({
    name: String(one),
    detail: '',
  }));
}

/** Operations that the providers of a document may offer. */
function offeredBy(text: string): Completion[] {
  const domains = new Set(providersOf(text).map((id) => id.split('_')[0] ?? ''));
  return [...domains].flatMap(operationsOfDomain).map((id) => ({
    name: id,
    inserted: `${id}:`,
    detail: 'operation',
  }));
}
