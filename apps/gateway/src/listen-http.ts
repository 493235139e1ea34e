import { NestFactory } from '@nestjs/core';
import { listenError, type Started } from '#observe';
import type { NestProcess } from '#process';
import { GatewayAdapter } from './gateway-adapter.js';
import type { GatewaySettings } from './gateway-settings.js';
import { serveHttp } from './serve-http.js';

/** Starts a process with the gateway in it. The address is open last, so whoever reaches it reaches a service that works. */
export async function listenHttp(
  { module, strategy, log: logger }: NestProcess,
  { host, port }: Pick<GatewaySettings, 'host' | 'port'>,
  variable = 'PORT',
): Promise<Started & { facts: { address: string } }> {
  const app = await NestFactory.create(module, new GatewayAdapter(), { logger, bodyParser: false });
  try {
    app.connectMicroservice({ strategy });
    await app.startAllMicroservices();
    const http = await serveHttp(app);
    return {
      facts: { address: http.url },
      stop: async () => {
        await http.drain();
        await app.close();
      },
    };
  } catch (cause) {
    await app.close();
    throw listenError(`${host}:${port}`, cause, variable, 'of the API');
  }
}
