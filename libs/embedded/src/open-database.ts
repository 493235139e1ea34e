import { resolve } from 'node:path';
import { runningPostgresUrl, startEmbeddedPostgres } from './embedded-postgres.js';

/** Which database a process uses. */
export interface DatabaseSettings {
  databaseUrl?: string;
  /** Where the embedded one is, when there is no URL. */
  dataFolder: string;
}

/** A database that is there for as long as it is needed. */
export interface OpenDatabase {
  url: string;
  /** What the terminal says of it. */
  where: string;
  /** Resolves when it ended without being asked. */
  lost: Promise<void>;
  close: () => Promise<void>;
}

/** The given database, else the embedded one, started. */
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

/** For administrative commands: the database of the service that runs on the folder, where one does. */
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
