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
  return startService({ name: 'management', ...settings }, async ({ log, health }) => {
    const sealer = new Sealer(await openKeyring(settings, log));
    const transport = await connectNats(settings.natsUrl, { log, health });
    const bus = new MessageBus(transport);
    const publicUrl = () => settings.publicUrl;
    const management = await openManagement({ ...settings, publicUrl, sealer, bus, health });
    const module = {
      module: ManagementProcess,
      imports: [BusModule.over(transport), management.module],
    };
    const app = await NestFactory.createMicroservice(module, {
      strategy: new BusServer(transport, new SealedBodies(sealer.derive('bus')), {
        around: management.around,
      }),
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
