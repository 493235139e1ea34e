import { statSync } from 'node:fs';
import { readKeyFile } from './key-file.js';
import type { KeyServiceSettings } from './key-services.js';
import { type Key, Keyring } from './keyring.js';

/** Where a process finds its keys. */
export interface KeySettings extends KeyServiceSettings {
  keyFile: string;
  /** Files with keys from before a rotation. */
  oldKeyFiles?: readonly string[];
}

/** Hears what goes wrong while the process runs. */
export interface KeyLog {
  error(line: object): void;
}

const lookEveryMs = 1_000;

/**
 * The keys of a process. Their files are looked at every second, so that a rotation needs no restart; while changed files cannot
 * be used, the keys from before stay.
 * @throws KeyUnusable that names the file, what is wrong with it and what to do
 */
export async function openKeyring(settings: KeySettings, log?: KeyLog): Promise<Keyring> {
  let seen = lookOf(settings);
  const ring = new Keyring(await readAll(settings));
  let told = '';
  let reading = false;
  const read = async (look: string): Promise<void> => {
    try {
      ring.replace(await readAll(settings));
      seen = look;
    } catch (problem) {
      // A key service may be away for a while: it is asked again, and complained of once.
      if (told !== look)
        log?.error({
          message: 'the changed key files cannot be used, the keys from before stay',
          error: problem instanceof Error ? problem.message : String(problem),
        });
      told = look;
    }
  };
  setInterval(() => {
    const look = lookOf(settings);
    if (reading || look === seen) return;
    reading = true;
    void read(look).finally(() => (reading = false));
  }, lookEveryMs).unref();
  return ring;
}

async function readAll(settings: KeySettings): Promise<[Key, ...Key[]]> {
  const [first, ...others] = await readKeyFile(settings.keyFile, settings);
  const older = [];
  for (const path of settings.oldKeyFiles ?? []) older.push(...(await readKeyFile(path, settings)));
  return [first, ...others, ...older];
}

/** Changes whenever a file does. */
function lookOf({ keyFile, oldKeyFiles = [] }: KeySettings): string {
  return [keyFile, ...oldKeyFiles]
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'missing';
    })
    .join('\n');
}
