import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '#config';
import { servedDomains } from '#contract';
import { runningPostgresUrl } from '#embedded';
import { StartError } from '#observe';
import { type DoctorConfiguration, readSettings } from '../doctor-configuration.js';
import { readWanted } from '../doctor-processes.js';
import type { Options } from '../options.js';
import { askDatabase } from './ask-database.js';
import { processAsker } from './ask-processes.js';
import { findProblems, servedBy } from './find-problems.js';
import { printStatus } from './print-status.js';
import type { Status } from './status.js';

const watchIntervalMs = 2_000;
/** Puts the cursor at the top, and clears what is below it: less flicker than to clear first. */
const [home, clearBelow] = ['\u001b[H', '\u001b[J'];

/**
 * `npm run -s admin -- status`: prints the state of the installation. The exit code is 1 if something is missing, fails or could not be asked;
 * with --watch it is 0 after a signal.
 */
export async function showStatus({
  data,
  domains = [],
  json = false,
  watch = false,
}: Options): Promise<string> {
  const wanted = readWanted(domains) ?? [];
  const { settings, problems } = readSettings({
    ...environment(),
    ...(data === undefined ? {} : { DATA_FOLDER: data }),
  });
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  const print = (status: Status) =>
    json ? JSON.stringify(status, undefined, watch ? 0 : 2) : printStatus(status);
  const askProcesses = processAsker(settings);
  const gather = () => gatherStatus(settings, askProcesses, wanted);
  if (watch) return await watchStatus(gather, print, json);
  const status = await gather();
  if (!status.ok) process.exitCode = 1;
  return print(status);
}

/** Prints the state again and again until a signal: over itself on a terminal, and as a line each with --json. */
async function watchStatus(
  gather: () => Promise<Status>,
  print: (status: Status) => string,
  json: boolean,
): Promise<string> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stop.abort();
      process.exit(0);
    });
  const [before, after] = process.stdout.isTTY && !json ? [home, clearBelow] : ['', ''];
  while (!stop.signal.aborted) {
    const text = print(await gather());
    process.stdout.write(`${before}${text}\n${after}`);
    await sleep(watchIntervalMs);
  }
  return '';
}

/** Asks all parts at once; what cannot be asked is named with the reason. */
async function gatherStatus(
  settings: DoctorConfiguration,
  askProcesses: ReturnType<typeof processAsker>,
  wanted: readonly string[],
): Promise<Status> {
  const status: Status = {
    at: new Date().toISOString(),
    ok: false,
    problems: [],
    notes: [],
    providersDown: [],
    unasked: [],
  };
  const url = settings.databaseUrl ?? runningPostgresUrl(settings.dataFolder);
  await Promise.all([ofProcesses(askProcesses, status), ofDatabase(settings, url, status)]);
  status.problems = findProblems(status, wanted);
  status.ok = status.problems.length === 0;
  return status;
}

async function ofProcesses(
  askProcesses: ReturnType<typeof processAsker>,
  status: Status,
): Promise<void> {
  try {
    Object.assign(status, await askProcesses());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    status.unasked.push({ part: 'processes', reason });
    return;
  }
  const { processes = [] } = status;
  status.providersDown = processes.flatMap(({ process, paused = [] }) =>
    paused.map((one) => ({ ...one, process })),
  );
  const served = servedBy(processes);
  const unserved = servedDomains.filter((domain) => !served.has(domain));
  if (unserved.length > 0 && served.size > 0)
    status.notes.push(`no connector serves ${unserved.join(', ')}`);
}

async function ofDatabase(
  { dataFolder }: DoctorConfiguration,
  url: string | undefined,
  status: Status,
): Promise<void> {
  if (url === undefined) {
    const reason = `DATABASE_URL is not set, and no embedded database runs in ${dataFolder}`;
    status.unasked.push({ part: 'database', reason });
    return;
  }
  const { found, unasked, notes } = await askDatabase(url);
  Object.assign(status, found);
  status.unasked.push(...unasked);
  status.notes.push(...notes);
}
