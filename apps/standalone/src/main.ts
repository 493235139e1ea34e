import 'reflect-metadata';
import { runProcess } from '#observe';
import { standaloneSettings } from './configuration.js';
import { startStandalone } from './start-standalone.js';

await runProcess(() => startStandalone(standaloneSettings(process.argv.slice(2))));
