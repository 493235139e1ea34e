import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeys } from '#apps/admin';
import { GatewayModule, listenHttp } from '#apps/gateway';
import { openConnector } from '#apps/connector';
import { openManagement, type OpenManagement } from '#apps/management';
import { openOperations } from '#apps/operations';
import { connectNats, InProcessTransport } from '#bus';
import { servedDomains } from '#contract';
import type { OpenDatabase } from '#embedded';
import { type Observed, type Started, startService, type Stop } from '#observe';
import { openModules, warnOfIgnoredProxy } from '#process';
import { migrateQueue } from '#queue';
import { migrate } from '#store';
import { banner } from './banner.js';
import type { StandaloneConfiguration } from './configuration.js';
import { firstStart } from './first-start.js';

/** Starts all modules in one process. @param opening the database, which is closed if the start fails */
export async function startStandalone(
  settings: StandaloneConfiguration,
  opening: Promise<OpenDatabase>,
  stopping: AbortSignal,
): Promise<Stop> {
  const stops: Stop[] = [async () => (await opening.catch(() => undefined))?.close()];
  const undo = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    return await startService(
      { name: 'standalone', ...settings },
      async (observed, observeUrl) => ({
        stop: undo,
        facts: await start(settings, await opening, { ...observed, observeUrl, stopping }, stops),
      }),
    );
  } catch (error) {
    await undo();
    throw error;
  }
}

async function start(
  settings: StandaloneConfiguration,
  database: OpenDatabase,
  observed: Observed & { observeUrl: string; stopping: AbortSignal },
  stops: Stop[],
): Promise<NonNullable<Started['facts']>> {
  const { log, observeUrl } = observed;
  warnOfIgnoredProxy(log, settings);
  void database.lost.then(() => {
    process.stderr.write(
      `${database.where}: the database stopped; see postgres.log in this folder. Start again.\n`,
    );
    process.exit(1);
  });
  await migrate(database.url, migrateQueue);
  const sealer = await openKeys(settings, database.url, log);
  observed.health.describe(() => ({ domains: servedDomains }));

  const { natsUrl } = settings;
  const keys = sealer.derive('bus messages');
  const transport =
    natsUrl === undefined
      ? new InProcessTransport()
      : await connectNats({ ...settings, natsUrl }, observed, {
          keys,
          role: 'standalone',
          services: ['gateway', 'management', 'connector', 'operations'],
          domains: servedDomains,
          stopping: observed.stopping,
        });
  let url = '';
  const own = {
    ...settings,
    databaseUrl: database.url,
    publicUrl: () => settings.publicUrl ?? url,
    consoleAddress: () =>
      settings.consoleUrl ??
      (settings.console ? new URL('/console/', settings.publicUrl ?? url).href : undefined),
  };
  let management: OpenManagement | undefined;
  const { stop, facts } = await openModules(
    [
      () => ({ module: GatewayModule.with(settings) }),
      async (parts) => (management = await openManagement({ ...own, ...parts })),
      (parts) => openConnector({ ...own, ...parts }),
      (parts) => openOperations({ ...own, ...parts }),
    ],
    {
      sealer,
      transport,
      observed,
      listen: async (nest) => {
        const started = await listenHttp(nest, settings, 'PORT (--port)');
        url = started.facts.address;
        return started;
      },
    },
  );
  stops.push(stop, noteAddress(settings.dataFolder, observeUrl));
  const tokens = management && (await firstStart(management, database.url, url));
  const { console: isConsoleServed } = settings;
  process.stdout.write(
    banner({ url, data: database.where, observe: observeUrl, tokens, isConsoleServed }),
  );
  return facts ?? {};
}

/** Leaves the address of health and status in the data folder, where `admin status` reads it. @returns what removes it */
function noteAddress(folder: string, observeUrl: string): Stop {
  const file = join(folder, 'observe.url');
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeFileSync(file, `${observeUrl}\n`);
  return async () => rmSync(file, { force: true });
}
