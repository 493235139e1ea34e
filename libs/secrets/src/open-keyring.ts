import { statSync } from 'node:fs';
import { readKeyFile } from './key-file.js';
import type { KeyServiceSettings } from './key-services.js';
import { BusKeys } from './bus-keys.js';
import type { Key } from './key.js';
import { KeyUnusable } from './key-unusable.js';
import { Keyring, type KeyringOptions } from './keyring.js';

/** The key files of a process. */
export interface KeySettings extends KeyServiceSettings {
  /** Absent in a process that encrypts nothing but messages. */
  keyFile?: string | undefined;
  /** The file with the keys of the bus; without it they are derived from the key-encryption key. */
  busKeyFile?: string | undefined;
  /** Whether data of a domain is sealed with the domain's key. */
  domainKeys?: boolean;
  /** Files with keys from before a rotation. */
  oldKeyFiles?: readonly string[];
}

/** Receives errors while the process runs. */
export interface KeyLog {
  error(line: object): void;
}

const checkIntervalMs = 1_000;

/**
 * Opens the keys of a process. Their files are checked every second, so that a rotation needs no restart; while changed files
 * cannot be used, the previous keys stay in use.
 * @throws KeyUnusable that names the file, the problem and the remedy
 */
export async function openKeyring(
  settings: KeySettings,
  log?: KeyLog,
  domains: readonly string[] = [],
): Promise<Keyring> {
  const { domainKeys = false } = settings;
  return await watchKeys(settings, log, { domains, domainKeys });
}

/** Opens the keys of the bus. @param ring the other keys of the process @throws KeyUnusable where neither has one */
export async function openBusKeys(
  { busKeyFile, ...settings }: KeySettings,
  ring: Keyring,
  log?: KeyLog,
): Promise<BusKeys> {
  if (busKeyFile === undefined && !ring.isComplete)
    throw new KeyUnusable(
      'BUS_KEY_FILE is missing. A process without the key-encryption key needs the key of the bus in a file of its own: npm run -s admin -- bus-key',
    );
  const own =
    busKeyFile === undefined
      ? undefined
      : await watchKeys({ ...settings, keyFile: busKeyFile, oldKeyFiles: [] }, log);
  if (own?.isComplete === false)
    throw new KeyUnusable(
      `${busKeyFile}: the file has keys of domains and none of the bus. Write one by npm run -s admin -- bus-key.`,
    );
  return new BusKeys(own, ring);
}

async function watchKeys(
  settings: KeySettings,
  log: KeyLog | undefined,
  options: KeyringOptions = {},
): Promise<Keyring> {
  let knownVersion = describeFiles(settings);
  const ring = new Keyring(await readAll(settings), options);
  let reportedVersion = '';
  let reading = false;
  const read = async (version: string): Promise<void> => {
    try {
      ring.replace(await readAll(settings));
      knownVersion = version;
    } catch (problem) {
      // A key service may be unavailable for a while, so reading is retried, but reported only once.
      if (reportedVersion !== version)
        log?.error({
          message: 'changed key files cannot be used, previous keys stay in use',
          error: problem instanceof Error ? problem.message : String(problem),
        });
      reportedVersion = version;
    }
  };
  setInterval(() => {
    const version = describeFiles(settings);
    if (reading || version === knownVersion) return;
    reading = true;
    void read(version).finally(() => (reading = false));
  }, checkIntervalMs).unref();
  return ring;
}

async function readAll(settings: KeySettings): Promise<Key[]> {
  const keys: Key[] = [];
  for (const path of pathsOf(settings)) keys.push(...(await readKeyFile(path, settings)));
  return keys;
}

function pathsOf({ keyFile, oldKeyFiles = [] }: KeySettings): readonly string[] {
  return keyFile === undefined ? oldKeyFiles : [keyFile, ...oldKeyFiles];
}

/** Describes the state of the key files, so that a change of any file changes the result. */
function describeFiles(settings: KeySettings): string {
  return pathsOf(settings)
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'missing';
    })
    .join('\n');
}
