import { environment } from '#config';
import { servedDomains } from '#contract';
import { runningPostgresUrl } from '#embedded';
import { StartError } from '#observe';
import { type Check, isSubject, look, subjects } from './check.js';
import { checkBus } from './doctor-bus.js';
import { checkSettings, readSettings } from './doctor-configuration.js';
import { checkDatabase } from './doctor-database.js';
import { checkDns, checkEgress, type Resolve } from './doctor-egress.js';
import { checkMail } from './doctor-mail.js';
import { checkPorts } from './doctor-ports.js';
import { readWanted } from './doctor-processes.js';
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
  { as = 'owner', data, url, domains }: Pick<Options, 'as' | 'data' | 'url' | 'domains'>,
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
  const wanted = readWanted(domains) ?? servedDomains;
  const hasDatabase = as !== 'gateway';
  const callsOutside = as !== 'gateway' && as !== 'owner';
  return [
    await look('configuration', () => checkSettings(settings, problems, given)),
    ...(hasDatabase ? await checkDatabase(settings, databaseUrl, role, clock) : []),
    ...(as === 'owner' ? [] : await checkPorts(settings, as)),
    ...(await checkBus(settings, as, given, { domains: wanted, clock })),
    ...(callsOutside || url !== undefined
      ? [await look('egress', () => checkEgress(settings, url, resolve))]
      : []),
    ...(as === 'operations' || settings.smtpUrl !== undefined
      ? [await look('mail', () => checkMail(settings))]
      : []),
    await look('dns', () => checkDns(settings, { url, callsOutside }, resolve)),
  ];
}

/** Prints a line for each check and the command to run next, or all checks as JSON. */
export function printChecks(checks: readonly Check[], json: boolean, as = 'owner'): string {
  if (json) return JSON.stringify(checks, undefined, 2);
  const lines = checks.map(({ check, ok, says }) => `${ok ? 'ok   ' : 'WRONG'}  ${check}: ${says}`);
  return [...lines, `Next: ${nextCommand(checks, as)}`].join('\n');
}

/** Returns the command for the first fault that has one, in the order in which a start would fail. */
function nextCommand(checks: readonly Check[], as: string): string {
  const faults = checks.filter(({ ok }) => !ok);
  if (faults.length > 0)
    return (
      faults.find(({ next }) => next !== undefined)?.next ??
      `npm run -s admin -- doctor --as ${as} (when that is mended)`
    );
  if (as === 'owner' || as === 'service') return 'npm run -s admin -- status';
  return `node dist/run/apps/${as}/src/main.js`;
}
