import { parseArgs } from 'node:util';
import {
  ConfigurationError,
  environment,
  FromVariable,
  loadConfiguration,
  OptionalSettings,
} from '#config';
import { Secret } from '#secrets';

/** Settings of everything in one process. */
export class StandaloneConfiguration extends OptionalSettings {
  override logLevel: 'debug' | 'info' | 'warn' | 'error' = 'warn'; // The terminal belongs to the person who started it.
  override observePort: number = 0;
  override host: string = '127.0.0.1';
  override console: boolean = true;
  override connect: boolean = true;

  @FromVariable({
    variable: 'DATA_FOLDER',
    about:
      'Where the embedded database and the keys are; created if missing. `--data` on the command line.',
  })
  dataFolder: string = './data';

  @FromVariable({
    variable: 'DATABASE_URL',
    about: 'Your own PostgreSQL database instead of the embedded one.',
    default: 'embedded',
    secret: true,
    optional: true,
    schema: { pattern: String.raw`^postgres(ql)?://` },
    rule: 'must begin with postgres://',
  })
  databaseUrl?: string;

  @FromVariable({
    variable: 'DATABASE_POOL',
    about: 'Maximum number of connections to the database.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  })
  databasePool: number = 10;

  @FromVariable({
    variable: 'NATS_URL',
    about: 'NATS to connect other processes with, instead of the bus inside this one.',
    default: 'in-process',
    secret: true,
    optional: true,
  })
  natsUrl?: Secret;

  @FromVariable({
    variable: 'KEY_FILE',
    about: 'The key-encryption key; created at the first start.',
    default: '`key-encryption.key` in the data folder',
    optional: true,
  })
  keyFile?: string;
}

/** Reads the settings from the environment, overridden by the command line. @throws ConfigurationError */
export function standaloneSettings(args: readonly string[]): StandaloneConfiguration {
  const given = parse(args);
  const fromArgs = { PORT: given.port, HOST: given.host, DATA_FOLDER: given.data };
  const said = Object.entries(fromArgs).filter(([, value]) => value !== undefined);
  return loadConfiguration(StandaloneConfiguration, {
    ...environment(),
    ...(Object.fromEntries(said) as Record<string, string>),
  });
}

function parse(args: readonly string[]): { port?: string; host?: string; data?: string } {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args: [...args], options: { port: text, host: text, data: text } }).values;
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    throw new ConfigurationError([
      `${problem}. npm start takes --port, --host and --data; everything else is a variable (docs/configuration.md).`,
    ]);
  }
}
