import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

export interface ObserveServer {
  /** `http://127.0.0.1:9464` */
  url: string;
  close(): Promise<void>;
}

export interface ObserveServerOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  health: Health;
  metrics: Metrics;
}

/**
 * Serves `/health/live`, `/health/ready`, `/status` and `/metrics` on a separate port: services without HTTP need them too, and they are for
 * operators, not for callers of the API.
 */
export async function startObserveServer(options: ObserveServerOptions): Promise<ObserveServer> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => response.destroy(error as Error));
  });
  server.requestTimeout = 5_000;
  server.headersTimeout = 5_000;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    url: `http://${hostOf(options.host)}:${portOf(server)}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { health, metrics }: ObserveServerOptions,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(response, 405, 'text/plain', 'GET only\n', { allow: 'GET, HEAD' });
  switch (request.url?.split('?')[0]) {
    case '/health/live':
      return send(response, 200, 'application/json', '{"live":true}\n');
    case '/health/ready': {
      const readiness = await health.readiness();
      const text = `${JSON.stringify(readiness)}\n`;
      return send(response, readiness.ready ? 200 : 503, 'application/json', text);
    }
    case '/status':
      return send(response, 200, 'application/json', `${JSON.stringify(await health.report())}\n`);
    case '/metrics': {
      const text = await metrics.registry.metrics();
      return send(response, 200, metrics.registry.contentType, text);
    }
    default:
      return send(
        response,
        404,
        'text/plain',
        'try /health/live, /health/ready, /status or /metrics\n',
      );
  }
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers });
  response.end(text);
}

function hostOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
