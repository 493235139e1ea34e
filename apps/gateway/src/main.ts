import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { BusModule, connectNats } from '#bus';
import { loadConfiguration } from '#config';
import { listenError, ObserveModule, runProcess, startService } from '#observe';
import { openKeyring, SealedBodies } from '#secrets';
import { GatewayAdapter } from './gateway-adapter.js';
import { GatewayConfiguration } from './gateway-configuration.js';
import { GatewayModule } from './gateway.module.js';
import { serveHttp } from './serve-http.js';

/** The gateway as a process: HTTP on one side, NATS on the other. */
class GatewayProcess {}

await runProcess(() => {
  const settings = loadConfiguration(GatewayConfiguration);
  return startService({ name: 'gateway', ...settings }, async (observed) => {
    const { log, health, metrics } = observed;
    const keyring = await openKeyring(settings, log);
    const keys = keyring.derive('bus messages');
    const transport = await connectNats(settings, observed, { keys, role: 'gateway' });
    const module = {
      module: GatewayProcess,
      imports: [
        BusModule.over(transport, new SealedBodies(keyring.derive('bus'))),
        ObserveModule.with({ health, metrics }),
        GatewayModule.with(settings),
      ],
    };
    const app = await NestFactory.create(module, new GatewayAdapter(), {
      logger: log,
      bodyParser: false,
    });
    const http = await serveHttp(app).catch(async (cause: unknown) => {
      await transport.close();
      throw listenError(`${settings.host}:${settings.port}`, cause, 'PORT', 'of the API');
    });
    return {
      facts: { address: http.url },
      stop: async () => {
        await http.drain();
        await app.close();
        await transport.close();
      },
    };
  });
});
