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

/** Options of a sample. By default it contains the minimum that the schema requires. */
export interface Choices {
  /** Includes optional fields. */
  all?: boolean;
  /** Index of the branch of every union, modulo the number of branches; by default that of the mock provider, or the first. */
  branch?: number;
  /** Returns the value of a field that the contract marks as secret. If set, the sample includes all secret fields. */
  secret?: (pointer: string) => unknown;
}

const maxDepth = 12;

/** Texts for fields in which the service refuses arbitrary text. */
const texts: Readonly<Record<string, string>> = {
  content: 'c2FtcGxl', // base64, for attachments
  secret: 'a secret that is long enough',
  old_secret: 'a secret that is long enough',
  new_secret: 'another secret that is long enough',
  data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n',
  connector: 'ticketing',
  token_ttl: '1h',
  permission_set: 'viewer',
};

/** Returns a valid body of an operation; undefined for an operation without a body. */
export function sampleBody(operation: Operation, choices: Choices = {}): unknown {
  const schema = bodySchema(operation);
  return schema && sample(operation.side, schema, choices);
}

/** Returns a value that is valid for a schema. @param pointer the place of the value in the body */
export function sample(side: Side, given: Schema, options: Choices = {}, pointer = ''): unknown {
  const schema = resolve(side, given);
  // Limits recursive schemas.
  const isDeep = pointer.split('/').length > maxDepth;
  const choices = isDeep ? { ...options, all: false } : options;
  const only = variantsOf(schema);
  if (only?.length === 1)
    return sample(
      side,
      withSecretMark({ ...only[0] }, isMarkedSecret(given, schema)),
      choices,
      pointer,
    );
  const name = pointer.split('/').at(-1) ?? '';
  const isSecret = isMarkedSecret(given, schema);
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
      return sampleText(schema, pointer, name);
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
      choices.all || required.includes(name) || (choices.secret && containsSecret(side, schema)),
  );
  return Object.fromEntries(
    fields.map(([name, schema]) => [
      name,
      // Fields of a secret object are secret too, except those with a format.
      sample(
        side,
        withSecretMark(schema, isSecret && !schema.format),
        choices,
        `${pointer}/${name}`,
      ),
    ]),
  );
}

function sampleArray(
  side: Side,
  { items = {}, minItems = 0 }: Schema,
  choices: Choices,
  pointer: string,
): unknown[] {
  const one = choices.all || (choices.secret && containsSecret(side, items)) ? 1 : 0;
  return Array.from({ length: Math.max(minItems, one) }, (_, index) =>
    sample(side, items, choices, `${pointer}/${index}`),
  );
}

function sampleText({ format }: Schema, pointer: string, name: string): string {
  if (format === 'date-time') return '2030-01-01T00:00:00Z';
  if (texts[name] !== undefined) return texts[name];
  return /url|uri|endpoint|host|domain|instance/.test(pointer) ? 'https://example.com' : 'sample';
}

function isMarkedSecret(given: Schema, schema: Schema): boolean {
  return given['x-secret'] === true || schema['x-secret'] === true;
}

function withSecretMark(schema: Schema, isSecret: boolean): Schema {
  return isSecret ? { ...schema, 'x-secret': true } : schema;
}

function containsSecret(side: Side, schema: Schema, depth = 0): boolean {
  if (schema['x-secret'] === true) return true;
  if (depth > maxDepth) return false;
  const found = resolve(side, schema);
  const parts = [
    ...(found.oneOf ?? []),
    ...(found.anyOf ?? []),
    ...(found.allOf ?? []),
    ...Object.values(found.properties ?? {}),
    ...(found.items ? [found.items] : []),
  ];
  return found['x-secret'] === true || parts.some((part) => containsSecret(side, part, depth + 1));
}
