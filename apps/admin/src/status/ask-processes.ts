import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { surveyProcesses } from '#bus';
import type { ProcessReport } from '#observe';
import type { DoctorConfiguration } from '../doctor-configuration.js';
import { userOf } from '../nats-users.js';
import { openKeysOfBus } from '../open-bus-keys.js';
import { readText } from './read-text.js';
import type { Status } from './status.js';

/** The file in the folder of `npm start` with the address of its health, metrics and status. */
const addressFile = 'observe.url';

type OfProcesses = Pick<Status, 'processes' | 'silent' | 'refused' | 'nats'>;

/**
 * Returns what asks all processes: over the bus, or the one that runs on the data folder. Keys are opened once, and follow their files.
 * It throws an Error that says why the processes cannot be asked.
 */
export function processAsker(settings: DoctorConfiguration): () => Promise<OfProcesses> {
  const { natsUrl } = settings;
  if (natsUrl === undefined) return async () => ({ processes: [await askStandalone(settings)] });
  let opened: Awaited<ReturnType<typeof openKeysOfBus>> | undefined;
  return async () => {
    const keys = (opened ??= await openKeysOfBus(settings));
    const role = userOf(settings) ?? 'admin';
    const survey = await surveyProcesses({ ...settings, natsUrl }, { keys, role });
    const { hosts, natsVersion: version, processes, silent, refused } = survey;
    return { nats: { hosts, version }, processes, silent, refused };
  };
}

async function askStandalone({ dataFolder }: DoctorConfiguration) {
  const file = join(dataFolder, addressFile);
  if (!existsSync(file))
    throw new Error(
      `NATS_URL is not set, and no npm start runs on ${dataFolder}: set NATS_URL and a key as the processes do, or name the folder by --data`,
    );
  const address = readFileSync(file, 'utf8').trim();
  const text = await readText(new URL('/status', address)).catch((error: unknown) => {
    const { code } = error as { code?: string };
    throw new Error(
      `the process of ${dataFolder} does not answer at ${address} (${code ?? String(error)}): it was killed, or hangs`,
    );
  });
  const report = JSON.parse(text) as ProcessReport;
  return { ...report, process: 'standalone' };
}
