import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { ApiError, loadValidators } from '#contract';
import { type GatewayAdapter } from './gateway-adapter.js';
import { GatewaySettings } from './gateway-settings.js';
import { OperationServer } from './operation-server.js';
import { writeProblem } from './write-answer.js';

/** The HTTP side of a process that has started. */
export interface HttpSide {
  /** `http://127.0.0.1:8080` */
  url: string;
  /** Lets calls in flight finish, then closes. */
  drain(): Promise<void>;
}

/** Binds an application made over a {@link GatewayAdapter} to its address. @throws the socket's error, such as EADDRINUSE. */
export async function serveHttp(app: INestApplication): Promise<HttpSide> {
  const adapter = app.getHttpAdapter() as GatewayAdapter;
  const operations = app.get(OperationServer);
  const settings = app.get(GatewaySettings);
  await loadValidators();
  adapter.serveFirst((request, response) => operations.handle(request, response));
  await app.init();
  adapter.setNotFoundHandler?.((_request: unknown, response: never) =>
    writeProblem(
      response,
      new ApiError(404, 'there is no such path', {
        remediation: 'The API is below /v1, its reference at /reference.',
      }),
      'none',
    ),
  );
  await app.listen(settings.port, settings.host);
  const { port, address, family } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${port}`,
    drain: async () => {
      operations.drain();
      await adapter.drain();
    },
  };
}
