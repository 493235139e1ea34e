import type { ErrorObject } from 'ajv/dist/2020.js';
import { suggestName } from '@onefold/mapping';

/** An error of a schema, in words for the author of the document. */
export interface SchemaErrorText {
  message: string;
  hint?: string;
  /** The key of a mapping that the error is about, rather than the value at its place. */
  key?: string;
}

const typeNames: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping with keys',
  null: 'null',
};

/** Says in a sentence what does not fit a schema; undefined where another error says it. @param path where the value is in the document */
export function describeSchemaError(
  error: ErrorObject,
  path: readonly (string | number)[],
): SchemaErrorText | undefined {
  const { keyword, message = 'is invalid' } = error;
  const parameters = error.params as Record<string, unknown>;
  const name = nameOf(path);
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {});
      return unknownKey(String(parameters['additionalProperty']), known);
    }
    case 'required':
      return { message: `the key "${String(parameters['missingProperty'])}" is missing` };
    case 'enum': {
      const allowed = (parameters['allowedValues'] as unknown[]).map(String);
      return notAllowed(name, error.data, allowed);
    }
    case 'type': {
      const types = [parameters['type']].flat().map((type) => typeNames[String(type)] ?? type);
      return error.data === null
        ? { message: `${name} is empty`, hint: `Write ${types.join(', or ')}.` }
        : { message: `${name} must be ${types.join(', or ')}, and is ${typeOf(error.data)}` };
    }
    case 'discriminator':
      return describeTag(error);
    case 'pattern':
      return describePattern(error, name);
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { message: `${name} ${sizeText(keyword, Number(parameters['limit']))}` };
    default:
      return { message: `${name} ${message}` };
  }
}

/** A text, or a key that the author of the document has chosen, such as the name of a call. */
function describePattern({ params, propertyName }: ErrorObject, name: string): SchemaErrorText {
  const message = `does not match the pattern ${String((params as { pattern: unknown }).pattern)}`;
  return propertyName === undefined
    ? { message: `${name} ${message}` }
    : { key: propertyName, message: `the key "${propertyName}" of ${name} ${message}` };
}

/** A mapping whose shape depends on one key, which is misspelt or has an unknown value. */
function describeTag({ params, parentSchema, data }: ErrorObject): SchemaErrorText | undefined {
  const { tag, tagValue } = params as { tag: string; tagValue?: unknown };
  const branches = (parentSchema?.['oneOf'] ?? []) as {
    properties: Record<string, { const?: unknown }>;
  }[];
  if (tagValue === undefined) {
    const known = branches.flatMap(({ properties }) => Object.keys(properties));
    const key = Object.keys(data as object).find((one) => !known.includes(one));
    return key === undefined ? undefined : unknownKey(key, [...new Set(known)]);
  }
  const values = branches.map(({ properties }) => String(properties[tag]?.const));
  return { key: tag, ...notAllowed(tag, tagValue, values) };
}

function unknownKey(key: string, known: readonly string[]): SchemaErrorText {
  const message = `unknown key "${key}"`;
  if (key === '<<')
    return {
      key,
      message,
      hint: 'Keys are not merged: an alias, such as *name, is a whole value.',
    };
  return { key, message, hint: suggestName(key, known) ?? `The keys are ${known.join(', ')}.` };
}

function notAllowed(name: string, value: unknown, allowed: readonly string[]): SchemaErrorText {
  const hint = suggestName(String(value), allowed);
  return {
    message: `${name} must be one of ${allowed.join(', ')}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Names a value by its key, and elements of lists by their index: `steps[0]`. */
function nameOf(path: readonly (string | number)[]): string {
  const start = path.findLastIndex((step) => typeof step === 'string');
  const [key = 'the document', ...indexes] = path.slice(Math.max(0, start));
  return [key, ...indexes.map((index) => `[${index}]`)].join('');
}

function typeOf(value: unknown): string {
  if (Number.isInteger(value)) return 'a whole number';
  return typeNames[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}

function sizeText(keyword: string, limit: number): string {
  if (keyword.startsWith('min') && limit === 1) return 'must not be empty';
  const [singular, plural] = keyword.endsWith('Length')
    ? ['character', 'characters']
    : keyword.endsWith('Items')
      ? ['element', 'elements']
      : ['key', 'keys'];
  const bound = keyword.startsWith('min') ? 'at least' : 'at most';
  return `must have ${bound} ${limit} ${limit === 1 ? singular : plural}`;
}
