import { type Survey, type SurveyedProcess, surveyProcesses } from '#bus';
import { servedDomains } from '#contract';
import { StartError } from '#observe';
import { type Check, look, type Subject, CheckFailure } from './check.js';
import type { DoctorConfiguration } from './doctor-configuration.js';
import { openKeysOfBus } from './open-bus-keys.js';
import { servedBy } from './status/find-problems.js';

/** Expiries of tokens and schedules are compared across processes. */
const maxClockMs = 5_000;

/** The process that is looked at, and what it expects of the others. */
interface Asked {
  as: Subject;
  /** The NATS user. */
  role: string;
  /** The domains that have to be served. */
  domains: readonly string[];
  clock: () => number;
}

/** Compares key, clock and domains with those of the processes that run, by one question over the bus. */
export async function checkProcesses(
  settings: DoctorConfiguration,
  asked: Asked,
): Promise<Check[]> {
  const checks: Check[] = [];
  const note = async (check: string, find: () => string) => {
    checks.push(await look(check, find));
  };
  let found: { survey: Survey; key: string } | undefined;
  try {
    found = await survey(settings, asked);
  } catch (error) {
    await note('bus key', () => {
      throw error;
    });
    return checks;
  }
  const { survey: others, key } = found;
  const heard = others.processes.length + others.refusedHere.length;
  if (heard === 0) {
    const says =
      'no other process is on the bus yet, so key, clock and domains are not compared; look again when they run';
    return [{ check: 'bus key', ok: true, says }];
  }
  await note('bus key', () => checkKey(others, key, settings));
  await note('clock of others', () => checkClocks(others, asked.as));
  if (others.processes.some(({ kind }) => kind !== undefined))
    await note('domains', () => checkDomains(others.processes, asked.domains));
  return checks;
}

/** @throws StartError for a domain that does not exist */
export function readWanted(sets: readonly string[] | undefined): readonly string[] | undefined {
  const wanted = sets?.flatMap((set) => set.split(',').flatMap((one) => one.trim() || []));
  const unknown = wanted?.find((one) => !servedDomains.includes(one));
  if (unknown !== undefined)
    throw new StartError(
      `There is no domain "${unknown}". There are: ${servedDomains.join(', ')}.`,
    );
  return wanted;
}

async function survey(
  settings: DoctorConfiguration,
  { role, clock }: Asked,
): Promise<{ survey: Survey; key: string }> {
  const { natsUrl } = settings;
  const keys = await openKeysOfBus(settings);
  const options = { keys, role, now: clock };
  return {
    survey: await surveyProcesses({ ...settings, natsUrl: natsUrl ?? '' }, options),
    key: keys.current.id,
  };
}

function checkKey(
  { processes, refusedHere: refused }: Survey,
  key: string,
  { busKeyFile }: DoctorConfiguration,
): string {
  const variable = busKeyFile === undefined ? 'KEY_FILE' : 'BUS_KEY_FILE';
  const next = 'npm run -s admin -- status';
  const others = refused.filter(({ reason }) => reason === 'unknown_key');
  const answered = processes.filter(({ kind }) => kind !== undefined);
  if (answered.length > 0 || (others.length === 0 && processes.length === 0)) {
    const odd = others.map(({ process }) => process);
    if (odd.length > 0 && answered.length === 0) throw wrongKey(others[0]?.key);
    return `${answered.length} processes answer under the key ${key}${odd.length > 0 ? `; ${odd.join(', ')} ${odd.length > 1 ? 'have' : 'has'} another one` : ''}`;
  }
  if (others.length > 0) throw wrongKey(others[0]?.key);
  throw new CheckFailure(
    `${processes.length} processes are heard and none answers: they refuse the key ${key} of ${variable}, or are of an older version. Give this process the ${variable} of the others.`,
    next,
  );

  function wrongKey(theirs = 'another'): CheckFailure {
    return new CheckFailure(
      `the others use the key ${theirs}, and this process has ${key} (${variable}). Give it the file of the others.`,
      next,
    );
  }
}

function checkClocks({ processes, refusedHere: refused }: Survey, as: Subject): string {
  const off = [
    ...processes.flatMap(({ process, kind = 'process', clockMs }) =>
      clockMs === undefined ? [] : [{ name: `${kind} ${process}`, clockMs }],
    ),
    ...refused.flatMap(({ process, clockMs }) =>
      clockMs === undefined ? [] : [{ name: process, clockMs }],
    ),
  ].filter(({ clockMs }) => Math.abs(clockMs) > maxClockMs);
  if (off.length === 0) return 'it agrees with those of the processes that run';
  const known = off.map(
    ({ name, clockMs }) =>
      `${name} is ${Math.abs(Math.round(clockMs / 1_000))} s ${clockMs > 0 ? 'ahead' : 'behind'}`,
  );
  throw new CheckFailure(
    `seen from this machine (--as ${as}), ${known.join(', ')}. Synchronize the machines by NTP; where all are off, it is this one.`,
    'timedatectl set-ntp true',
  );
}

function checkDomains(processes: readonly SurveyedProcess[], wanted: readonly string[]): string {
  const served = servedBy(processes);
  const missing = wanted.filter((domain) => !served.has(domain));
  if (missing.length > 0)
    throw new CheckFailure(
      `no connector serves ${missing.join(', ')}. Start one with them in DOMAINS or, if that is intended, name those that are served by --domains.`,
      `DOMAINS=${missing.join(',')} node dist/run/apps/connector/src/main.js`,
    );
  return `connectors serve ${[...served.keys()].sort().join(', ')}`;
}
