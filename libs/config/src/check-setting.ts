import { type Schema, type ValidationError, Validator } from 'jsonschema';
import type { Setting, SettingType } from './setting.js';

const types: Partial<Record<SettingType, Schema>> = {
  number: { type: 'number' },
  'yes or no': { type: 'boolean' },
};
const typeNames: Readonly<Record<string, string>> = {
  integer: 'an integer number',
  number: 'a number',
  boolean: 'on or off',
};

// It interprets schemas, in 13 ms of a start; to load Ajv and compile one takes 95, and 9 MB more.
const validator = new Validator();
validator.customFormats['url'] = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value);

/** Returns what the value of a setting must be, such as `must be an integer number`; undefined if it is that. */
export function checkSetting({ type, schema, rule }: Setting, value: unknown): string | undefined {
  const one = { ...types[type], ...schema };
  const whole = type === 'list' ? { items: one } : one;
  const { errors } = validator.validate(value, whole);
  // A value of another type breaks other rules too.
  const error = errors.find(({ name }) => name === 'type') ?? errors[0];
  return error && (rule ?? describe(error));
}

function describe({ name, argument, message }: ValidationError): string {
  if (name === 'type') return `must be ${typeNames[String(argument)] ?? String(argument)}`;
  if (name === 'minimum') return `must not be less than ${argument}`;
  if (name === 'maximum') return `must not be greater than ${argument}`;
  if (name === 'enum')
    return `must be one of the following values: ${(argument as string[]).join(', ')}`;
  return message;
}
