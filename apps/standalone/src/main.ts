import 'reflect-metadata';
import { openDatabase } from '#embedded';
import { runProcess } from '#observe';
import { standaloneSettings } from './configuration.js';

await runProcess(async () => {
  const settings = standaloneSettings(process.argv.slice(2));
  // The database takes as long to start as the rest of the program to load: both at once.
  const database = openDatabase(settings);
  database.catch(() => undefined); // who waits for it hears of it
  const { startStandalone } = await import('./start-standalone.js');
  return await startStandalone(settings, database);
});
