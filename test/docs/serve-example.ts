import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface ServedRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  /** The JSON body; undefined where there is none. */
  body: unknown;
}

/** Serves a system of an example document on this machine. */
export async function serveExample(
  answer: (request: ServedRequest) => Served,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '', 'http://example');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const {
        status = 200,
        headers: more = {},
        body: value,
      } = answer({ method, url, headers, body });
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(value === undefined ? '' : JSON.stringify(value));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
