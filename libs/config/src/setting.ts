import 'reflect-metadata';
import type { Schema } from 'jsonschema';
import { Secret } from '#secrets';

export interface SettingOptions {
  /** The environment variable, such as `NATS_URL`. */
  variable: string;
  /** The purpose of the setting, as a sentence of the reference. */
  about: string;
  /** The default as the reference describes it, if it is not a plain value. */
  default?: string;
  /** True for settings whose value is never printed. */
  secret?: true;
  /** True for settings that may be absent although they have no default. */
  optional?: true;
  /** JSON Schema of the value, beside its type; of each value of a list. */
  schema?: Schema;
  /** The rule that an invalid value breaks, such as `must be a URL address`; by default what the schema says. */
  rule?: string;
}

export type SettingType = 'text' | 'number' | 'yes or no' | 'list' | 'secret';

export interface Setting extends SettingOptions {
  property: string;
  type: SettingType;
}

/** The schema and the rule of addresses of the web. */
export const httpAddress = {
  schema: { format: 'url', pattern: '^https?://' },
  rule: 'must be a URL address',
} as const;

/** A class whose `@FromVariable` properties are the settings of a process; their initial values are the defaults. */
export type ConfigurationClass<T extends object = object> = new () => T;

const declared = new WeakMap<object, Setting[]>();
const types = new Map<unknown, SettingType>([
  [String, 'text'],
  [Number, 'number'],
  [Boolean, 'yes or no'],
  [Array, 'list'],
  [Secret, 'secret'],
]);

/** Declares which environment variable sets a property, and what it may be. */
export function FromVariable(options: SettingOptions): PropertyDecorator {
  return (target, property) => {
    const type = types.get(Reflect.getMetadata('design:type', target, property));
    if (type === undefined)
      throw new Error(
        `${String(property)}: declare it as string, number, boolean, Secret or string[] (optional: \`name?: string\`)`,
      );
    const settings = declared.get(target) ?? [];
    settings.push({ ...options, property: String(property), type });
    declared.set(target, settings);
  };
}

/** Declares settings of a class whose properties have no decorators. */
export function declareSettings(type: ConfigurationClass, settings: Setting[]): void {
  declared.set(type.prototype as object, settings);
}

/** Converts the text of a variable to the type of its setting; a text that is not of the type stays one, and is refused. */
export function convert(type: SettingType, text: string): unknown {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return text.trim() === '' ? Number.NaN : Number(text);
    case 'yes or no':
      return (
        {
          true: true,
          yes: true,
          on: true,
          '1': true,
          false: false,
          no: false,
          off: false,
          '0': false,
        }[text.toLowerCase()] ?? text
      );
    case 'secret':
      return new Secret(text);
    case 'list':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
  }
}

/** Returns the settings of a configuration class, those of its base classes first. */
export function settingsOf(type: ConfigurationClass): Setting[] {
  const chain: Setting[][] = [];
  for (
    let at: unknown = type.prototype;
    typeof at === 'object' && at !== null;
    at = Object.getPrototypeOf(at)
  )
    chain.unshift(declared.get(at) ?? []);
  return chain.flat();
}
