import type { Operation } from '#contract';
import {
  bodySchema,
  resolve,
  type Schema,
  type Side,
  typeOf,
  variantOf,
  variantsOf,
} from './schemas.js';

/** What a sample is made of; the least its schema takes when nothing is chosen. */
export interface Choices {
  /** Every field, also those that are not required. */
  all?: boolean;
  /** Which branch every union takes, modulo their number; when absent that of the mock provider, or the first. */
  branch?: number;
  /** The value of a field that the contract marks as secret; with it the sample has every one of them. */
  secret?: (pointer: string) => unknown;
}

const deepest = 12;

/** Texts that mean something to the service, where any text would be refused for what it is. */
const texts: Readonly<Record<string, string>> = {
  content: 'c2FtcGxl', // of attachments, in base64
  secret: 'a secret that is long enough',
  old_secret: 'a secret that is long enough',
  new_secret: 'another secret that is long enough',
  data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n',
  connector: 'ticketing',
  token_ttl: '1h',
  permission_set: 'viewer',
};

/** A body that an operation takes; undefined where it takes none. */
export function sampleBody(operation: Operation, choices: Choices = {}): unknown {
  const schema = bodySchema(operation);
  return schema && sample(operation.side, schema, choices);
}

/** A value that a schema takes. @param pointer where it stands in the body */
export function sample(side: Side, given: Schema, wanted: Choices = {}, pointer = ''): unknown {
  const schema = resolve(side, given);
  // A schema that holds itself would never end.
  const isDeep = pointer.split('/').length > deepest;
  const choices = isDeep ? { ...wanted, all: false } : wanted;
  const only = variantsOf(schema);
  if (only?.length === 1)
    return sample(side, marked({ ...only[0] }, isMarked(given, schema)), choices, pointer);
  const name = pointer.split('/').at(-1) ?? '';
  const isSecret = isMarked(given, schema);
  if (choices.secret && isSecret && typeOf(schema) === 'string') return choices.secret(pointer);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum)
    return schema.enum.includes(texts[name])
      ? texts[name]
      : schema.enum.find((one) => one !== null);
  if (only && only.length > 0) {
    const { branch } = choices;
    const chosen =
      branch === undefined
        ? variantOf(side, only, /_mock_ticketing$/)
        : (only[branch % only.length] as Schema);
    return sample(side, chosen, choices, pointer);
  }
  if (schema.allOf)
    return Object.assign(
      {},
      ...schema.allOf.map((one) => sample(side, one, choices, pointer)),
    ) as object;
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(side, schema, isSecret, choices, pointer);
    case 'array':
      return sampleArray(side, schema, choices, pointer);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return text(schema, pointer, name);
  }
}

function sampleObject(
  side: Side,
  { properties = {}, required = [] }: Schema,
  isSecret: boolean,
  choices: Choices,
  pointer: string,
): Record<string, unknown> {
  const fields = Object.entries(properties).filter(
    ([name, schema]) =>
      choices.all || required.includes(name) || (choices.secret && holdsSecret(side, schema)),
  );
  return Object.fromEntries(
    fields.map(([name, schema]) => [
      name,
      // What a secret object holds is secret, but what has a format is none.
      sample(side, marked(schema, isSecret && !schema.format), choices, `${pointer}/${name}`),
    ]),
  );
}

function sampleArray(
  side: Side,
  { items = {}, minItems = 0 }: Schema,
  choices: Choices,
  pointer: string,
): unknown[] {
  const one = choices.all || (choices.secret && holdsSecret(side, items)) ? 1 : 0;
  return Array.from({ length: Math.max(minItems, one) }, (_, index) =>
    sample(side, items, choices, `${pointer}/${index}`),
  );
}

function text({ format }: Schema, pointer: string, name: string): string {
  if (format === 'date-time') return '2030-01-01T00:00:00Z';
  if (texts[name] !== undefined) return texts[name];
  return /url|uri|endpoint|host|domain|instance/.test(pointer) ? 'https://example.com' : 'sample';
}

function isMarked(given: Schema, schema: Schema): boolean {
  return given['x-secret'] === true || schema['x-secret'] === true;
}

function marked(schema: Schema, isSecret: boolean): Schema {
  return isSecret ? { ...schema, 'x-secret': true } : schema;
}

function holdsSecret(side: Side, schema: Schema, depth = 0): boolean {
  if (schema['x-secret'] === true) return true;
  if (depth > deepest) return false;
  const found = resolve(side, schema);
  const parts = [
    ...(found.oneOf ?? []),
    ...(found.anyOf ?? []),
    ...(found.allOf ?? []),
    ...Object.values(found.properties ?? {}),
    ...(found.items ? [found.items] : []),
  ];
  return found['x-secret'] === true || parts.some((part) => holdsSecret(side, part, depth + 1));
}
