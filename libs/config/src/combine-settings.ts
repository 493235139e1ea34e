import { type ConfigurationClass, declareSettings, settingsOf } from './setting.js';

type Combined<Types extends readonly ConfigurationClass[]> = Types extends readonly [
  ConfigurationClass<infer First>,
  ...infer Others extends readonly ConfigurationClass[],
]
  ? First & Combined<Others>
  : object;

/** Returns a class with the settings of others, and their defaults. A setting that several of them have is one. */
export function combineSettings<const Types extends readonly ConfigurationClass[]>(
  ...types: Types
): ConfigurationClass<Combined<Types>> {
  class CombinedSettings {
    constructor() {
      for (const type of types) Object.assign(this, new type());
    }
  }
  const settings = new Map(types.flatMap(settingsOf).map((one) => [one.variable, one]));
  declareSettings(CombinedSettings, [...settings.values()]);
  return CombinedSettings as ConfigurationClass<Combined<Types>>;
}
