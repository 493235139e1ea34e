import 'reflect-metadata';
import { loadConfiguration } from '#config';
import { runProcess, startService } from '#observe';
import { ConsoleConfiguration } from './configuration.js';
import { listenPages } from './listen-pages.js';

// It is not on the bus: it needs neither NATS nor keys, which `serve` of libs/process would open.
await runProcess(() => {
  const settings = loadConfiguration(ConsoleConfiguration);
  return startService({ name: 'console', ...settings }, (observed) =>
    listenPages(settings, observed),
  );
});
