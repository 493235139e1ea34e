import { resolve } from 'node:path';
import { runningPostgresUrl, startEmbeddedPostgres } from './embedded-postgres.js';

/** The database that a process uses. */
export interface DatabaseSettings {
  databaseUrl?: string;
  /** The data folder of the embedded database, if there is no URL. */
  dataFolder: string;
}

/** An open database, which is closed by the process that opened it. */
export interface OpenDatabase {
  url: string;
  /** Description of the database for the terminal. */
  where: string;
  /** Resolves when the database stops unexpectedly. */
  lost: Promise<void>;
  close: () => Promise<void>;
}

/** Opens the given database, or starts the embedded one. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  if (settings.databaseUrl !== undefined) return given(settings.databaseUrl);
  const postgres = await startEmbeddedPostgres({ folder: settings.dataFolder });
  let asked = false;
  return {
    url: postgres.url,
    where: resolve(settings.dataFolder),
    lost: postgres.exited.then(() => (asked ? new Promise<void>(() => undefined) : undefined)),
    close: () => {
      asked = true;
      return postgres.stop();
    },
  };
}

/** Opens the database for administrative commands: that of a service running on the folder, if there is one. */
export async function joinDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  const url = settings.databaseUrl ?? runningPostgresUrl(settings.dataFolder);
  return url === undefined ? openDatabase(settings) : given(url);
}

function given(url: string): OpenDatabase {
  const { host, pathname } = new URL(url);
  return {
    url,
    where: `postgres://${host}${pathname}`,
    lost: new Promise(() => undefined),
    close: async () => undefined,
  };
}
