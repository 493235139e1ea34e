import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError, type Observed, type Started } from '#observe';
import { consolePrefix, type Pages, ProviderImages, readConsole } from '#pages';
import type { ConsoleConfiguration } from './configuration.js';

/** A client that sends its headers slower than this is of no use to anybody. */
const headersMs = 10_000;
/** Longer than the common 60 s of load balancers, so that they close first. */
const keepAliveMs = 65_000;

type Settings = Pick<ConsoleConfiguration, 'apiUrl' | 'host' | 'port' | 'providerImagesFolder'>;

/** Serves the built console, which calls the API at another address. @throws StartError if it cannot listen, ConfigurationError for invalid images, Error if it was not built */
export async function listenPages(
  { apiUrl, host, port, providerImagesFolder }: Settings,
  { metrics }: Pick<Observed, 'metrics'>,
): Promise<Started> {
  const { origin, protocol } = new URL(apiUrl);
  const pages = readConsole({
    apiOrigin: origin,
    isHttps: protocol === 'https:',
    images: ProviderImages.read(providerImagesFolder),
  });
  const server = createServer(
    { headersTimeout: headersMs, requestTimeout: headersMs, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      const finished = metrics.request('console');
      response.once('close', () => finished(response.statusCode));
      answer(pages, request, response);
    },
  );
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    throw listenError(`${host}:${port}`, cause, 'PORT', 'of the console');
  }
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    facts: {
      address: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
      api: origin,
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close(); // ends idle connections too
      await closed;
    },
  };
}

function answer(
  pages: Pages,
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (method !== 'GET' && method !== 'HEAD')
    return say(response, 405, 'The console only has pages.', { allow: 'GET, HEAD' });
  const [path = ''] = url.split('?');
  if (path === '/' || `${path}/` === consolePrefix)
    return void response.writeHead(302, { location: consolePrefix }).end();
  const found = path.startsWith(consolePrefix)
    ? pages.answer(path.slice(consolePrefix.length), headers)
    : undefined;
  if (found === undefined)
    return say(response, 404, `There is no such file. Open ${consolePrefix}.`);
  response.writeHead(found.status, found.headers).end(method === 'HEAD' ? undefined : found.body);
}

function say(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    .end(`${text}\n`);
}
