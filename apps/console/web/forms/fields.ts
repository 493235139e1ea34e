import credentialKinds from '../../../../libs/contract/src/generated/credential-kinds.json';
import { humanize, plain, type Resolve, type Schema, typeOf } from './schema.js';

interface Common {
  /** Place in the body of the request. */
  pointer: string;
  label: string;
  hint?: string | undefined;
  isRequired: boolean;
}

/** One input. */
export interface Leaf extends Common {
  kind: 'text' | 'secret' | 'url' | 'number' | 'boolean' | 'lines' | 'json';
  placeholder?: string;
  initial?: string;
  /** The values that each of its lines may be. */
  values?: readonly string[];
}

/** A choice among values. */
export interface Options extends Common {
  kind: 'options';
  options: readonly string[];
  /** Some of them in words. */
  words?: Readonly<Record<string, unknown>> | undefined;
  initial?: string;
}

/** A value that nobody chooses. */
export interface Fixed extends Common {
  kind: 'fixed';
  value: unknown;
}

export interface Group extends Common {
  kind: 'group';
  fields: readonly Field[];
}

/** One of several shapes, which `type` tells apart, such as a credential. */
export interface Choice extends Common {
  kind: 'choice';
  variants: readonly Variant[];
}

export interface Variant {
  name: string;
  label: string;
  fields: readonly Field[];
  /** Kind of the stored credential that the variant refers to. */
  stored?: string;
}

export type Field = Leaf | Options | Fixed | Group | Choice;

const maxDepth = 5;
const kinds = credentialKinds as unknown as Readonly<Record<string, Schema>>;
const kindLabels: Record<string, string> = {
  aws: 'AWS access key',
  aws_role: 'AWS role',
  token: 'Token',
  basic: 'User name and password',
  secret: 'Secret',
  o_auth_client: 'OAuth client',
  tls_certificate: 'Client certificate',
};
/** Kinds of stored credentials, by other names that configurations have for them. */
const otherNames: Readonly<Record<string, string>> = { webhook_url: 'secret' };

/** Kinds of credentials that this version knows. */
export const credentialKindNames: readonly string[] = Object.keys(kinds);

/** Names a kind of credential, such as `basic`. */
export function credentialLabel(kind: string): string {
  return kindLabels[kind] ?? humanize(kind);
}

/** Fields of a kind of credential; none if this version does not know it. */
export function credentialFields(kind: string): readonly Field[] {
  const schema = kinds[kind];
  return schema === undefined ? [] : readFields(schema, '', () => undefined);
}

/** Reads the fields of an object's schema. Keywords that are not known make a field for JSON. @param depth of objects above it */
export function readFields(
  schema: Schema,
  pointer: string,
  resolve: Resolve,
  depth = 0,
): readonly Field[] {
  const { properties = {}, required = [] } = plain(schema, resolve);
  return Object.entries(properties)
    .filter(([, one]) => one.type !== 'null')
    .map(([name, one]) =>
      readField(one, {
        name,
        pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        isRequired: required.includes(name),
        depth,
        resolve,
      }),
    );
}

interface Place {
  name: string;
  pointer: string;
  isRequired: boolean;
  depth: number;
  resolve: Resolve;
}

function readField(given: Schema, place: Place): Field {
  const { name, pointer, isRequired, depth, resolve } = place;
  const schema = plain(given, resolve);
  const common = {
    pointer,
    isRequired,
    label: schema.title ?? humanize(name),
    hint: schema.description,
  };
  if (schema.const !== undefined) return { ...common, kind: 'fixed', value: schema.const };
  const variants = variantsOf(schema, place);
  if (variants !== undefined) {
    const stored = ({ stored: kind }: Variant) => Number(kind !== undefined);
    const sorted = variants.toSorted((one, other) => stored(one) - stored(other));
    return { ...common, kind: 'choice', variants: sorted };
  }
  const initial = textOf(schema.default);
  const [example] = schema.examples ?? [];
  const leaf = {
    ...common,
    ...(initial === undefined ? {} : { initial }),
    ...(textOf(example) === undefined ? {} : { placeholder: String(example) }),
  };
  if (schema.enum !== undefined) {
    const options = schema.enum.filter((one) => one !== null).map(String);
    return { ...leaf, kind: 'options', options, words: schema['x-enum-labels'] };
  }
  const type = typeOf(schema);
  if (isSecret(schema)) return { ...leaf, kind: 'secret' };
  if (type === 'object' && schema.properties !== undefined && depth < maxDepth)
    return { ...common, kind: 'group', fields: readFields(schema, pointer, resolve, depth + 1) };
  const kind = leafKind(schema, type, resolve);
  const values = kind === 'lines' ? plain(schema.items ?? {}, resolve).enum : undefined;
  return { ...leaf, kind, ...(values === undefined ? {} : { values: values.map(String) }) };
}

function leafKind(schema: Schema, type: string | undefined, resolve: Resolve): Leaf['kind'] {
  if (type === 'string') return schema.format === 'uri' ? 'url' : 'text';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && typeOf(plain(schema.items ?? {}, resolve)) === 'string') return 'lines';
  return 'json';
}

function isSecret(schema: Schema): boolean {
  return schema['x-secret'] === true || schema.writeOnly === true || schema.format === 'password';
}

/** The shapes of a value with a `type`: those of `oneOf`, or the kinds of credentials that the provider accepts. */
function variantsOf(schema: Schema, place: Place): readonly Variant[] | undefined {
  const { resolve } = place;
  if (schema.oneOf !== undefined) {
    const shapes = schema.oneOf.map((one) => plain(one, resolve));
    const names = shapes.map(({ properties }) => properties?.['type']?.const);
    if (names.some((name) => typeof name !== 'string')) return undefined;
    return shapes.map((shape, index) => variantOf(names[index] as string, shape, place));
  }
  const names = schema.properties?.['type']?.enum;
  if (names === undefined || !names.every((one) => typeof one === 'string')) return undefined;
  if (!names.every((one) => Object.hasOwn(kinds, kindOf(one)))) return undefined;
  return names.map((name) =>
    variantOf(name, isStored(name) ? storedShape : (kinds[kindOf(name)] ?? {}), place),
  );
}

const storedShape: Schema = { properties: { value: { type: 'string' } }, required: ['value'] };

/** `token_id` refers to a stored credential of the kind `token`. */
function kindOf(name: string): string {
  const inline = name.replace(/_id$/, '');
  return otherNames[inline] ?? inline;
}

function isStored(name: string): boolean {
  return name.endsWith('_id');
}

function variantOf(name: string, shape: Schema, { pointer, resolve, depth }: Place): Variant {
  const { type: _same, ...properties } = shape.properties ?? {};
  const kind = kindOf(name);
  const refers = isStored(name) && Object.hasOwn(kinds, kind) && 'value' in properties;
  const inline = refers ? name.replace(/_id$/, '') : name;
  const label = kindLabels[inline] ?? humanize(inline);
  return {
    name,
    label: refers ? `Stored: ${label}` : label,
    fields: readFields({ ...shape, properties }, pointer, resolve, depth + 1),
    ...(refers ? { stored: kind } : {}),
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
