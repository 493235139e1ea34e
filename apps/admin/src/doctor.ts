import { environment } from '#config';
import { runningPostgresUrl } from '#embedded';
import { StartError } from '#observe';
import { type Check, isSubject, look, subjects } from './check.js';
import { checkBus } from './doctor-bus.js';
import { checkSettings, readSettings } from './doctor-configuration.js';
import { checkDatabase } from './doctor-database.js';
import { checkDns, checkEgress, type Resolve } from './doctor-egress.js';
import type { Options } from './options.js';

export type { Check } from './check.js';

/** The environment, clock and resolver of a check; tests give other ones. */
export interface Surroundings {
  variables?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  clock?: () => number;
  resolve?: Resolve;
}

/**
 * Checks what a process needs, and changes nothing.
 * @throws StartError for an unknown subject
 */
export async function diagnose(
  { as = 'owner', data, url }: Pick<Options, 'as' | 'data' | 'url'>,
  { variables = environment(), clock = Date.now, resolve }: Surroundings = {},
): Promise<Check[]> {
  if (!isSubject(as))
    throw new StartError(
      `There is no "${as}" for --as to check. There are: ${subjects.join(', ')}.`,
    );
  const given = { ...variables, ...(data === undefined ? {} : { DATA_FOLDER: data }) };
  const { settings, problems } = readSettings(given);
  const databaseUrl = settings.databaseUrl ?? runningPostgresUrl(settings.dataFolder);
  const role = {
    as: as === 'owner' ? as : ('service' as const),
    ...(as === 'connector' && { domains: settings.domains }),
  };
  const hasDatabase = as !== 'gateway';
  const callsOutside = as !== 'gateway' && as !== 'owner';
  return [
    await look('configuration', () => checkSettings(settings, problems, given)),
    ...(hasDatabase ? await checkDatabase(settings, databaseUrl, role, clock) : []),
    ...(await checkBus(settings, as, given)),
    ...(callsOutside || url !== undefined
      ? [await look('egress', () => checkEgress(settings, url, resolve))]
      : []),
    await look('dns', () => checkDns(settings, { url, callsOutside }, resolve)),
  ];
}

/** Prints a line for each check, or all as JSON. */
export function printChecks(checks: readonly Check[], json: boolean): string {
  if (json) return JSON.stringify(checks, undefined, 2);
  return checks
    .map(({ check, ok, says }) => `${ok ? 'ok   ' : 'WRONG'}  ${check}: ${says}`)
    .join('\n');
}
