import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type ConfigurationClass, type Setting, settingsOf } from './setting.js';

/** A process was configured wrongly. The message lists everything that is wrong, one variable per line. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads a process's settings from its environment. An empty variable counts as absent.
 * @throws ConfigurationError that names every wrong variable, what is wrong with it, and its purpose.
 */
export function loadConfiguration<T extends object>(
  type: ConfigurationClass<T>,
  variables: Readonly<Record<string, string | undefined>> = environment(),
): T {
  const settings = settingsOf(type);
  const given = settings.flatMap(({ variable, property }) => {
    const text = variables[variable];
    return text === undefined || text === '' ? [] : [[property, text] as const];
  });
  const result = plainToInstance(type, Object.fromEntries(given));
  const faults = validateSync(result, { forbidUnknownValues: false });
  const problems = settings.flatMap((setting) => {
    const fault = faults.find(({ property }) => property === setting.property);
    // The topmost decorator is the last to be checked and says the most: `must be an integer`, not `must be less than`.
    const [text] = Object.values(fault?.constraints ?? {}).slice(-1);
    return text === undefined ? [] : [explain(setting, text, variables)];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return result;
}

/** The environment of this process: the one place that reads it. */
export function environment(): Readonly<Record<string, string | undefined>> {
  // eslint-disable-next-line no-restricted-syntax -- everybody else gets a configuration class
  return process.env;
}

function explain(
  { variable, property, about, secret }: Setting,
  constraint: string,
  variables: Readonly<Record<string, string | undefined>>,
): string {
  const given = variables[variable];
  if (given === undefined || given === '') return `${variable} is not set, and has to be. ${about}`;
  const rule = constraint.replace(property, '').trim();
  return `${variable} ${rule}, ${secret ? 'its value is not' : `it is "${given}"`}. ${about}`;
}
