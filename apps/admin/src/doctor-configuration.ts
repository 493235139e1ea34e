import { suggestName } from '@onefold/mapping';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { connectionOptions } from '#bus';
import {
  BusKeyFile,
  ConfigurationError,
  DomainKeys,
  FromVariable,
  loadConfiguration,
  OptionalSettings,
  settingsOf,
} from '#config';
import { servedDomains } from '#contract';
import { Secret } from '#secrets';
import { CheckFailure } from './check.js';

/** The settings of every process, none of them required: the doctor says what is missing for whom. */
export class DoctorConfiguration extends OptionalSettings {
  @FromVariable({ variable: 'DATA_FOLDER', about: 'The folder of `npm start`.' })
  dataFolder: string = './data';

  @FromVariable({
    variable: 'DATABASE_URL',
    about: 'The PostgreSQL database.',
    secret: true,
    optional: true,
    schema: { pattern: String.raw`^postgres(ql)?://` },
    rule: 'must begin with postgres://',
  })
  databaseUrl?: string;

  @FromVariable({
    variable: 'DATABASE_POOL',
    about: 'Maximum number of connections.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  })
  databasePool: number = 10;

  @FromVariable({
    variable: 'NATS_URL',
    about: 'The NATS server of the bus.',
    secret: true,
    optional: true,
  })
  natsUrl?: Secret;

  @FromVariable({ variable: 'KEY_FILE', about: 'The key-encryption key.', optional: true })
  keyFile?: string;

  @FromVariable({
    variable: 'DOMAINS',
    about: `The domains: ${servedDomains.join(', ')}.`,
    schema: { enum: [...servedDomains] },
  })
  domains: string[] = [...servedDomains];

  @FromVariable({
    variable: 'API_URL',
    about: 'The API, for the process of the console.',
    optional: true,
    schema: { pattern: String.raw`^https?://[^/?#@\s]+/?$` },
    rule: 'must be an address without a path, such as https://api.example.com',
  })
  apiUrl?: string;

  @BusKeyFile
  busKeyFile?: string;

  @DomainKeys
  domainKeys: boolean = false;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads all settings. Those that are invalid are reported and left out, so that the other checks can go on. */
export function readSettings(variables: Variables): {
  settings: DoctorConfiguration;
  problems: readonly string[];
} {
  try {
    return { settings: loadConfiguration(DoctorConfiguration, variables), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { problems } = error;
    const isInvalid = (name: string) => problems.some((one) => one.startsWith(`${name} `));
    const valid = Object.entries(variables).filter(([name]) => !isInvalid(name));
    return {
      settings: loadConfiguration(DoctorConfiguration, Object.fromEntries(valid)),
      problems,
    };
  }
}

/** @throws CheckFailure that lists the settings that are invalid, unknown or contradict each other */
export function checkSettings(
  settings: DoctorConfiguration,
  problems: readonly string[],
  variables: Variables,
): string {
  const given = Object.keys(variables).filter((name) => (variables[name] ?? '') !== '');
  const wrong = [...problems, ...unknownSettings(given), ...contradictions(settings, given)];
  if (wrong.length > 0) throw new CheckFailure(wrong.join(' '));
  const known = new Set(settingsOf(DoctorConfiguration).map(({ variable }) => variable));
  const count = given.filter((name) => known.has(name)).length;
  return `${count} settings are given, and none is invalid, unknown or contradicts another`;
}

/** Shorter names are near to too many others, such as HOST to HOME. */
const minNameLength = 8;
const maxLengthDifference = 2;
/** Read by others, who have more settings than these pages name. */
const ofOthers = /^(?:AWS|OTEL|VAULT|NODE|KUBERNETES)_|_SERVICE_|_PORT(?:_|$)/;
const onlyOurs = /^(?:NATS|EGRESS|DATABASE|OBSERVE|MAPPING)_/;

function unknownSettings(given: readonly string[]): string[] {
  const names = settingsOf(DoctorConfiguration).map(({ variable }) => variable);
  const long = names.filter((name) => name.length >= minNameLength);
  return given.flatMap((name) => {
    if (names.includes(name) || ofOthers.test(name) || !/^[A-Z][A-Z0-9_]{7,}$/.test(name))
      return [];
    if (name.startsWith('NATS_PASSWORD_')) return []; // variables of nats-server
    const near = suggestName(
      name,
      long.filter((one) => isAlike(one, name)),
    );
    if (near === undefined && !onlyOurs.test(name)) return [];
    return [`${name} is not a setting of any process. ${near ?? 'Remove it.'}`];
  });
}

/** Variables of others end as ours do, such as SSL_CERT_FILE: a misspelled one begins like ours, and is nearly as long. */
function isAlike(setting: string, name: string): boolean {
  return (
    setting.slice(0, 2) === name.slice(0, 2) &&
    Math.abs(setting.length - name.length) <= maxLengthDifference
  );
}

function contradictions(settings: DoctorConfiguration, given: readonly string[]): string[] {
  const isGiven = (name: string) => given.includes(name);
  const found: string[] = [];
  const { natsUrl, keyFile, busKeyFile, oldKeyFiles, vaultTokenFile } = settings;
  if (natsUrl !== undefined)
    try {
      connectionOptions({ ...settings, natsUrl });
    } catch (error) {
      found.push(error instanceof Error ? error.message : String(error));
    }
  else if (given.some((name) => /^NATS_(?:USER|CREDENTIALS_FILE|NKEY_FILE)$/.test(name)))
    found.push('A NATS user is given, but NATS_URL is not: set it.');
  if (isGiven('OTEL_EXPORTER_OTLP_HEADERS') && !isGiven('OTEL_EXPORTER_OTLP_ENDPOINT'))
    found.push('OTEL_EXPORTER_OTLP_HEADERS has no use without OTEL_EXPORTER_OTLP_ENDPOINT.');
  if (isGiven('OTEL_TRACES_SAMPLER_ARG') && !settings.tracesSampler.endsWith('traceidratio'))
    found.push(`OTEL_TRACES_SAMPLER_ARG has no use with the sampler ${settings.tracesSampler}.`);
  if (keyFile !== undefined && oldKeyFiles.some((old) => resolve(old) === resolve(keyFile)))
    found.push('OLD_KEY_FILES contains KEY_FILE: remove it there.');
  for (const old of oldKeyFiles)
    if (!existsSync(old)) found.push(`OLD_KEY_FILES: there is no file ${old}.`);
  if (busKeyFile !== undefined && !existsSync(busKeyFile))
    found.push(`BUS_KEY_FILE: there is no file ${busKeyFile}.`);
  if (vaultTokenFile !== undefined && !existsSync(vaultTokenFile))
    found.push(`VAULT_TOKEN_FILE: there is no file ${vaultTokenFile}.`);
  if (settings.maxBodyBytes * 2 > settings.maxBodiesBytes)
    found.push(
      'MAX_BODIES_BYTES must be at least twice MAX_BODY_BYTES: one address may use half of it.',
    );
  return found;
}
