import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { certificateHeader, originHeader } from './engine.js';
import type { TheirRequest } from './fixture.js';
import { readBody, typeOf } from './message.js';

/** A received call, and its form in a fixture. */
export interface Arrived {
  shown: TheirRequest;
  method: string;
  url: URL;
  headers: Record<string, string>;
  bytes: Buffer;
  /** Names the client certificate that the call is made with. */
  certificate: string | undefined;
}

export interface Given {
  status: number;
  headers?: Record<string, string>;
  bytes: Buffer;
  /** Closes the connection in the middle of the body, or sends nothing at all. */
  fault?: 'cut' | 'silent';
}

/** Server in place of the provider: it receives every call of the engine. */
export class ProviderServer {
  private constructor(private readonly server: Server) {}

  static async start(
    answer: (arrived: Arrived) => Promise<Given> | Given,
    scrub: (text: string) => string,
    /** Called with the headers first: they contain secrets that the body may repeat. */
    heard: (headers: Record<string, string>) => void = () => undefined,
  ): Promise<ProviderServer> {
    const server = createServer((request, response) => {
      serve(request, response, { answer, scrub, heard }).catch((error: unknown) => {
        response.writeHead(599, { 'content-type': 'text/plain' });
        response.end(String(error));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new ProviderServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  {
    answer,
    scrub,
    heard,
  }: {
    answer: (arrived: Arrived) => Promise<Given> | Given;
    scrub: (text: string) => string;
    heard: (headers: Record<string, string>) => void;
  },
): Promise<void> {
  const bytes = await buffer(request);
  const {
    [originHeader]: origin,
    [certificateHeader]: certificate,
    ...headers
  } = request.headers as Record<string, string>;
  heard(headers);
  const url = new URL(request.url ?? '', origin);
  const method = request.method ?? 'GET';
  const type = typeOf(headers['content-type']);
  const shown = {
    method,
    url: scrub(url.href),
    ...(type === '' ? {} : { type }),
    ...readBody(bytes, headers['content-type'] ?? '', scrub),
  };
  const given = await answer({ shown, method, url, headers, bytes, certificate });
  if (given.fault === 'silent') return;
  const { 'content-length': _size, 'transfer-encoding': _chunks, ...rest } = given.headers ?? {};
  if (given.fault === 'cut') {
    response.writeHead(given.status, { ...rest, 'content-length': given.bytes.length + 1 });
    response.write(given.bytes, () => response.destroy());
    return;
  }
  response.writeHead(given.status, rest);
  response.end(given.bytes);
}
