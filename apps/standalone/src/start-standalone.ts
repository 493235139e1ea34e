import { NestFactory } from '@nestjs/core';
import { GatewayAdapter, GatewayModule, serveHttp } from '#apps/gateway';
import { openConnector } from '#apps/connector';
import { openManagement } from '#apps/management';
import { BusModule, BusServer, InProcessTransport, MessageBus, NatsTransport } from '#bus';
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
  { log, health, metrics, observeUrl }: Observed & { observeUrl: string },
  stops: Stop[],
): Promise<NonNullable<Started['facts']>> {
  void database.lost.then(() => {
    process.stderr.write(
      `${database.where}: the database ended; its log is postgres.log there. Start again.\n`,
    );
    process.exit(1);
  });
  await migrate(database.url);
  const sealer = await openKeys(settings, database.url, log);

  const transport =
    settings.natsUrl === undefined
      ? new InProcessTransport()
      : await NatsTransport.connect(settings.natsUrl);
  health.add('bus', () => transport.isConnected);
  const { databasePool, egressAllow, auditDays } = settings;
  let url = '';
  const parts = {
    databaseUrl: database.url,
    databasePool,
    sealer,
    bus: new MessageBus(transport),
    health,
    publicUrl: () => settings.publicUrl ?? url,
    egressAllow,
    auditDays,
  };
  const management = await openManagement(parts);
  stops.push(management.close);
  const connector = await openConnector(parts);
  stops.push(connector.close);

  const bodies = new SealedBodies(sealer.derive('bus'));
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
