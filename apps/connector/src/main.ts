import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { BusModule, BusServer, NatsTransport } from '#bus';
import { loadConfiguration } from '#config';
import { patiently, runProcess, startService } from '#observe';
import { openKeyring, SealedBodies, Sealer } from '#secrets';
import { ConnectorConfiguration } from './configuration.js';
import { openConnector } from './open-connector.js';

/** A connector as a process: the domains it is told, over NATS. */
class ConnectorProcess {}

await runProcess(() => {
  const settings = loadConfiguration(ConnectorConfiguration);
  return startService({ name: 'connector', ...settings }, async ({ log, health }) => {
    const sealer = new Sealer(await openKeyring(settings, log));
    const transport = await patiently(
      log,
      `NATS at ${new URL(settings.natsUrl.split(',')[0] ?? '').host}`,
      NatsTransport.connect(settings.natsUrl),
    );
    health.add('bus', () => transport.isConnected);
    const connector = await openConnector({ ...settings, sealer, health });
    const module = {
      module: ConnectorProcess,
      imports: [BusModule.over(transport), connector.module],
    };
    const app = await NestFactory.createMicroservice(module, {
      strategy: new BusServer(transport, new SealedBodies(sealer.derive('bus')), {
        answered: connector.answered,
        categories: connector.categories,
      }),
      logger: log,
    });
    await app.listen();
    return {
      facts: { domains: settings.domains },
      stop: async () => {
        await app.close();
        await connector.close();
      },
    };
  });
});
