import type { Schema, ValidationError } from 'jsonschema';
import { parseJson } from '../../language/json.js';
import { lowerLimits } from '../../language/limits.js';
import { noTemplates, Run, systemSurroundings } from '../../language/run.js';
import { LimitError, RunError } from '../../language/run-error.js';
import { Timestamp } from '../../language/timestamp.js';
import { isObject, Nothing, type Value } from '../../language/values.js';
import { BoundedValidator } from './bounded-validator.js';
import { kept } from '../collections/kept.js';
import { textOf } from '../text.js';

const maxLength = 65_536;
const maxFaults = 20;
/** Steps of reading a schema. */
const readSteps = 100;

const schemaOf = kept((text: string): Schema => {
  const failure = (why: string) => new RunError(`failed to parse json schema definition: ${why}`);
  if (text.length > maxLength) throw failure(`it is longer than ${maxLength} characters`);
  let schema: Value;
  try {
    schema = parseJson(text);
  } catch (error) {
    throw failure((error as Error).message);
  }
  if (!isObject(schema)) throw failure('it is not an object');
  return schema;
});

/** @throws RunError when the text is not a schema */
export function checkJsonSchema(text: string): void {
  schemaOf(text);
}

/** Checks a value against a schema. @throws RunError that says what does not fit, a line each */
export function validateJson(value: Value, text: string, run: Run): void {
  run.once(`{ ${text}`, () => readSteps + (text.length >> 3));
  const schema = schemaOf(text);
  let errors: readonly ValidationError[];
  try {
    ({ errors } = new BoundedValidator(run).validate(plain(value, run), schema));
  } catch (error) {
    if (error instanceof RunError || error instanceof LimitError) throw error;
    if (error instanceof RangeError) throw new RunError('the json schema nests too deep');
    // References lead nowhere but into the schema itself.
    throw new RunError(`the json schema cannot be used: ${(error as Error).message}`);
  }
  if (errors.length === 0) return;
  const lines = errors.slice(0, maxFaults).map(described);
  if (errors.length > maxFaults) lines.push(`and ${errors.length - maxFaults} more`);
  throw new RunError(lines.join('\n'));
}

/**
 * Validates a value against a schema of a stranger, which is interpreted and bounded.
 * @throws RunError, LimitError when the schema cannot be used
 */
export function schemaFaults(
  schema: Readonly<Record<string, unknown>>,
  value: Value,
): { path: (string | number)[]; message: string }[] {
  const run = new Run(Nothing, null, {}, lowerLimits(undefined), systemSurroundings, noTemplates);
  try {
    const { errors } = new BoundedValidator(run).validate(plain(value, run), schema);
    return errors.slice(0, maxFaults).map((error) => ({
      path:
        error.name === 'required' ? [...error.path, textOf(error.argument as Value)] : error.path,
      message: problemOf(error),
    }));
  } catch (error) {
    if (error instanceof RunError || error instanceof LimitError) throw error;
    throw new RunError(`the schema cannot be used: ${(error as Error).message}`);
  }
}

/** Says in our words what is wrong with the value, where the library has none that are a sentence with the name of the field. */
function problemOf({ name, argument, message, instance }: ValidationError): string {
  const given: unknown = argument;
  switch (name) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be of type ${[given].flat().map(String).join(' or ')}, and is of type ${typeOf(instance)}`;
    case 'const':
      return `must be ${textOf(given)}`;
    case 'format':
      return `is not a valid ${String(given)}`;
    case 'additionalProperties':
      return `has the unknown field ${textOf(given)}`;
    case 'minLength':
      return given === 1 ? 'must not be empty' : `must have at least ${String(given)} characters`;
    case 'maxLength':
      return `must have at most ${String(given)} characters`;
    case 'pattern':
      return `does not match the pattern ${String(given)}`;
    default:
      return message;
  }
}

/** Values as JSON has them, in objects without prototype: the library asks for fields by name. */
function plain(value: Value, run: Run): unknown {
  run.spend(1);
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Timestamp) return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((one) => plain(one, run));
  if (!isObject(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value)) copy[key] = plain(value[key], run);
  return copy;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The field, and what is wrong with it, in the reference's words where it has them. */
function described({ path, name, argument, message, instance }: ValidationError): string {
  const field = path.length === 0 ? '(root)' : path.join('.');
  const given: unknown = argument;
  const list = Array.isArray(given) ? given.map((one) => textOf(one)).join(',') : '';
  if (name === 'type')
    return `${field} invalid type. expected: ${list}, given: ${typeOf(instance)}`;
  if (name === 'required') return `${field} ${textOf(given)} is required`;
  if (name === 'additionalProperties')
    return `${field} additional property ${textOf(given)} is not allowed`;
  return `${field} ${message}`;
}
