import { readdirSync } from 'node:fs';
import type { MigrationInterface } from 'typeorm';

const folder = new URL('./migrations/', import.meta.url);

/** All migrations, which are the files of their folder: `<milliseconds>-<what it brings>.ts` exports one class. */
export async function loadMigrations(): Promise<(new () => MigrationInterface)[]> {
  const files = readdirSync(folder).filter((file) => /^\d{13}-[a-z0-9-]+\.js$/.test(file));
  const loaded = await Promise.all(
    files.map(async (file) => {
      const exported = Object.values((await import(new URL(file, folder).href)) as object);
      if (exported.length !== 1) throw new Error(`${file} has to export one migration`);
      return exported[0] as new () => MigrationInterface;
    }),
  );
  return loaded;
}
