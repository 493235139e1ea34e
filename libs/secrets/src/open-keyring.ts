import { statSync } from 'node:fs';
import { readKeyFile } from './key-file.js';
import type { KeyServiceSettings } from './key-services.js';
import { type Key, Keyring } from './keyring.js';

/** The key files of a process. */
export interface KeySettings extends KeyServiceSettings {
  keyFile: string;
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
export async function openKeyring(settings: KeySettings, log?: KeyLog): Promise<Keyring> {
  let knownVersion = describeFiles(settings);
  const ring = new Keyring(await readAll(settings));
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

async function readAll(settings: KeySettings): Promise<[Key, ...Key[]]> {
  const [first, ...others] = await readKeyFile(settings.keyFile, settings);
  const older = [];
  for (const path of settings.oldKeyFiles ?? []) older.push(...(await readKeyFile(path, settings)));
  return [first, ...others, ...older];
}

/** Describes the state of the key files, so that a change of any file changes the result. */
function describeFiles({ keyFile, oldKeyFiles = [] }: KeySettings): string {
  return [keyFile, ...oldKeyFiles]
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'missing';
    })
    .join('\n');
}
