import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { BusModule, BusServer, connectNats } from '#bus';
import { loadConfiguration } from '#config';
import { runProcess, startService } from '#observe';
import { openKeyring, SealedBodies, Sealer } from '#secrets';
import { ConnectorConfiguration } from './configuration.js';
import { roleOf } from './domains.js';
import { openConnector } from './open-connector.js';

/** A connector as a process: the domains it is told, over NATS. */
class ConnectorProcess {}

await runProcess(() => {
  const settings = loadConfiguration(ConnectorConfiguration);
  return startService({ name: 'connector', ...settings }, async (observed) => {
    const { log, health } = observed;
    const sealer = new Sealer(await openKeyring(settings, log));
    const keys = sealer.derive('bus messages');
    const role = roleOf(settings.domains);
    const transport = await connectNats(settings, observed, { keys, role });
    const bodies = new SealedBodies(sealer.derive('bus'));
    const connector = await openConnector({ ...settings, sealer, health });
    const module = {
      module: ConnectorProcess,
      imports: [BusModule.over(transport, bodies), connector.module],
    };
    const app = await NestFactory.createMicroservice(module, {
      strategy: new BusServer(transport, bodies, {
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
