import { NestFactory } from '@nestjs/core';
import { GatewayAdapter, GatewayModule, serveHttp } from '#apps/gateway';
import { openConnector } from '#apps/connector';
import { openManagement } from '#apps/management';
import { BusModule, BusServer, connectNats, InProcessTransport, MessageBus } from '#bus';
import {
  listenError,
  ObserveModule,
  type Observed,
  type Started,
  startService,
  type Stop,
} from '#observe';
import { SealedBodies } from '#secrets';
import { migrate } from '#store';
import { banner } from './banner.js';
import type { StandaloneConfiguration } from './configuration.js';
import { firstStart } from './first-start.js';
import { openKeys } from './keys.js';
import type { OpenDatabase } from './open-database.js';

/** All modules in one process. The address is open last, so whoever reaches it reaches a service that works. */
class StandaloneModule {}

/** @param opening the database, which this closes also when it cannot start */
export async function startStandalone(
  settings: StandaloneConfiguration,
  opening: Promise<OpenDatabase>,
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
        facts: await start(settings, await opening, { ...observed, observeUrl }, stops),
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
  observed: Observed & { observeUrl: string },
  stops: Stop[],
): Promise<NonNullable<Started['facts']>> {
  const { log, health, metrics, observeUrl } = observed;
  void database.lost.then(() => {
    process.stderr.write(
      `${database.where}: the database ended; its log is postgres.log there. Start again.\n`,
    );
    process.exit(1);
  });
  await migrate(database.url);
  const sealer = await openKeys(settings, database.url, log);

  const { natsUrl } = settings;
  const keys = sealer.derive('bus messages');
  const transport =
    natsUrl === undefined
      ? new InProcessTransport()
      : await connectNats({ ...settings, natsUrl }, observed, { keys, role: 'standalone' });
  const bodies = new SealedBodies(sealer.derive('bus'));
  const { databasePool, egressAllow, auditDays } = settings;
  let url = '';
  const parts = {
    databaseUrl: database.url,
    databasePool,
    sealer,
    bus: new MessageBus(transport, bodies),
    health,
    publicUrl: () => settings.publicUrl ?? url,
    egressAllow,
    auditDays,
  };
  const management = await openManagement(parts);
  stops.push(management.close);
  const connector = await openConnector(parts);
  stops.push(connector.close);

  const module = {
    module: StandaloneModule,
    imports: [
      BusModule.over(transport, bodies),
      ObserveModule.with({ health, metrics }),
      GatewayModule.with(settings),
      management.module,
      connector.module,
    ],
  };
  const app = await NestFactory.create(module, new GatewayAdapter(), {
    logger: log,
    bodyParser: false,
  });
  stops.push(() => app.close());
  const { around } = management;
  app.connectMicroservice({
    strategy: new BusServer(transport, bodies, {
      around,
      answered: connector.answered,
      categories: connector.categories,
    }),
  });
  await app.startAllMicroservices();
  const http = await serveHttp(app).catch((cause: unknown) => {
    throw listenError(`${settings.host}:${settings.port}`, cause, 'PORT (--port)', 'of the API');
  });
  stops.push(() => http.drain());
  url = http.url;

  const tokens = await firstStart(management.context, database.url, http.url);
  process.stdout.write(
    banner({ url: http.url, data: database.where, observe: observeUrl, tokens }),
  );
  return { address: http.url };
}
