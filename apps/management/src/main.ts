import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { BusModule, BusServer, connectNats, MessageBus } from '#bus';
import { loadConfiguration } from '#config';
import { runProcess, startService } from '#observe';
import { openKeyring, SealedBodies, Sealer } from '#secrets';
import { ManagementConfiguration } from './configuration.js';
import { openManagement } from './open-management.js';

class ManagementProcess {}

await runProcess(() => {
  const settings = loadConfiguration(ManagementConfiguration);
  return startService({ name: 'management', ...settings }, async (observed) => {
    const { log, health } = observed;
    const sealer = new Sealer(await openKeyring(settings, log));
    const keys = sealer.derive('bus messages');
    const transport = await connectNats(settings, observed, { keys, role: 'management' });
    const bodies = new SealedBodies(sealer.derive('bus'));
    const bus = new MessageBus(transport, bodies);
    const publicUrl = () => settings.publicUrl;
    const management = await openManagement({ ...settings, publicUrl, sealer, bus, health });
    const module = {
      module: ManagementProcess,
      imports: [BusModule.over(transport, bodies), management.module],
    };
    const app = await NestFactory.createMicroservice(module, {
      strategy: new BusServer(transport, bodies, { around: management.around }),
      logger: log,
    });
    await app.listen();
    return {
      stop: async () => {
        await app.close();
        await management.close();
      },
    };
  });
});
