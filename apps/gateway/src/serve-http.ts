import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { loadValidators } from '#contract';
import { isAgentRequest } from './agent-request.js';
import { BridgeEndpoint } from './bridge-endpoint.js';
import { type GatewayAdapter } from './gateway-adapter.js';
import { GatewaySettings } from './gateway-settings.js';
import { measurePlaces } from './measure-places.js';
import { OperationServer } from './operation-server.js';
import { ProblemFilter } from './problem-filter.js';

/** A started HTTP server. */
export interface HttpSide {
  /** `http://127.0.0.1:8080` */
  url: string;
  /** Lets requests in flight finish, then closes. */
  drain(): Promise<void>;
}

/** Binds an application made over a {@link GatewayAdapter} to its address. @throws the socket's error, such as EADDRINUSE. */
export async function serveHttp(app: INestApplication): Promise<HttpSide> {
  const adapter = app.getHttpAdapter() as GatewayAdapter;
  const operations = app.get(OperationServer);
  const settings = app.get(GatewaySettings);
  await loadValidators();
  const bridges = app.get(BridgeEndpoint);
  adapter.serveFirst((request, response) => operations.handle(request, response));
  adapter.onUpgrade(isAgentRequest, (request, socket, head) =>
    bridges.handle(request, socket, head),
  );
  measurePlaces(app, adapter);
  app.useGlobalFilters(new ProblemFilter());
  await app.init();
  await app.listen(settings.port, settings.host);
  const { port, address, family } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${port}`,
    drain: async () => {
      operations.drain();
      await bridges.drain();
      await adapter.drain();
    },
  };
}
