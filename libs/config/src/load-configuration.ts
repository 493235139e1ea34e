import { checkSetting } from './check-setting.js';
import { environment } from './environment.js';
import { type ConfigurationClass, convert, type Setting, settingsOf } from './setting.js';

/** The configuration of a process is invalid. The message lists every error, one variable per line. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads the settings of a process from its environment. An empty variable stands for the default of its setting. Where that is
 * something else in place of a value, such as the embedded database, the empty variable is an error.
 * @throws ConfigurationError that names every invalid variable, its error and its purpose.
 */
export function loadConfiguration<T extends object>(
  type: ConfigurationClass<T>,
  variables: Readonly<Record<string, string | undefined>> = environment(),
): T {
  const settings = settingsOf(type);
  const result = new type();
  const values = result as Record<string, unknown>;
  const problems = settings.flatMap((setting) => {
    const { variable, property, optional } = setting;
    const text = variables[variable];
    if (text === undefined || text === '') {
      if (values[property] !== undefined) return [];
      if (optional === undefined) return [`${variable} is missing. ${setting.about}`];
      return text === '' ? [`${variable} is empty: set it, or remove it. ${setting.about}`] : [];
    }
    const value = convert(setting.type, text);
    values[property] = value;
    const rule = checkSetting(setting, value);
    return rule === undefined ? [] : [explain(setting, rule, text)];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return result;
}

function explain({ variable, about, secret }: Setting, rule: string, text: string): string {
  return `${variable} ${rule}, ${secret ? 'but its value is not' : `but it is "${text}"`}. ${about}`;
}
