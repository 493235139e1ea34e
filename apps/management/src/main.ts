import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { BusModule, BusServer, MessageBus, NatsTransport } from '#bus';
import { loadConfiguration } from '#config';
import { patiently, runProcess, startService } from '#observe';
import { openKeyring, SealedBodies, Sealer } from '#secrets';
import { ManagementConfiguration } from './configuration.js';
import { openManagement } from './open-management.js';

class ManagementProcess {}

await runProcess(() => {
  const settings = loadConfiguration(ManagementConfiguration);
  return startService({ name: 'management', ...settings }, async ({ log, health }) => {
    const sealer = new Sealer(await openKeyring(settings, log));
    const transport = await patiently(
      log,
      `NATS at ${new URL(settings.natsUrl.split(',')[0] ?? '').host}`,
      NatsTransport.connect(settings.natsUrl),
    );
    health.add('bus', () => transport.isConnected);
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
