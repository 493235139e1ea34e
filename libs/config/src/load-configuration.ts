import { plainToInstance } from 'class-transformer';
import { Validator } from './checks.js';
import { environment } from './environment.js';
import { type ConfigurationClass, type Setting, settingsOf } from './setting.js';

/** The configuration of a process is invalid. The message lists every error, one variable per line. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads the settings of a process from its environment. An empty variable counts as absent.
 * @throws ConfigurationError that names every invalid variable, its error and its purpose.
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
  const errors = new Validator().validateSync(result, { forbidUnknownValues: false });
  const problems = settings.flatMap((setting) => {
    const error = errors.find(({ property }) => property === setting.property);
    // The topmost decorator is checked last and is the most helpful: `must be an integer` rather than `must be less than`.
    const [text] = Object.values(error?.constraints ?? {}).slice(-1);
    return text === undefined ? [] : [explain(setting, text, variables)];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return result;
}

function explain(
  { variable, property, about, secret }: Setting,
  constraint: string,
  variables: Readonly<Record<string, string | undefined>>,
): string {
  const given = variables[variable];
  if (given === undefined || given === '') return `${variable} is missing. ${about}`;
  const rule = constraint.replace(property, '').trim();
  return `${variable} ${rule}, ${secret ? 'but its value is not' : `but it is "${given}"`}. ${about}`;
}
