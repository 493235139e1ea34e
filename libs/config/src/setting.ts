import 'reflect-metadata';
import { Transform } from 'class-transformer';
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
}

export type SettingType = 'text' | 'number' | 'yes or no' | 'list' | 'secret';

export interface Setting extends SettingOptions {
  property: string;
  type: SettingType;
}

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

/** Declares which environment variable sets a property; class-validator's decorators beside it declare what is allowed. */
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
    Transform(({ value }) => convert(type, value as string))(target, property);
  };
}

/** Converts the text of a variable to the type of its setting; class-validator checks the result. */
function convert(type: SettingType, text: string): unknown {
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
