import 'reflect-metadata';
import { openDatabase } from '#embedded';
import { runProcess } from '#observe';
import { standaloneSettings } from './configuration.js';

await runProcess(async (stopping) => {
  const settings = standaloneSettings(process.argv.slice(2));
  // The database takes as long to start as the other code to load, so both run at once.
  const database = openDatabase(settings);
  database.catch(() => undefined); // The error is reported to the code that awaits the database.
  const { startStandalone } = await import('./start-standalone.js');
  return await startStandalone(settings, database, stopping);
});
