import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { keystream } from './keystream.js';

// File storage as a separate process. It stores no file: downloads are generated while they are read, and of uploads
// only the digest is kept.

/** Observations about one request. */
export interface Seen {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  /** Bytes of the body that were received or sent. */
  bytes: number;
  /** Digest of a completely received body. */
  sha256?: string;
  /** How the request ended. */
  end: 'open' | 'whole' | 'broken';
}

const seen: Seen[] = [];

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://storage');
  if (url.pathname === '/_seen') {
    response.end(JSON.stringify(url.searchParams.has('keep') ? seen : seen.splice(0)));
    return;
  }
  const entry: Seen = {
    method: request.method ?? '',
    path: url.pathname,
    headers: request.headers,
    bytes: 0,
    end: 'open',
  };
  seen.push(entry);
  request.on('error', () => undefined);
  response.on('close', () => {
    if (entry.end === 'open') entry.end = 'broken';
  });
  route(url.pathname, request, response, entry).catch(() => response.destroy());
});

async function route(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  entry: Seen,
): Promise<void> {
  const [, action = '', argument = ''] = path.split('/');
  if (request.headers['x-key'] !== 'storage-secret-key')
    return refuse(response, 401, 'who are you');
  if (action === 'forbidden') return refuse(response, 403, 'this folder is locked');
  if (action === 'missing') return refuse(response, 404, 'no such file');
  if (action === 'full') return refuse(response, 507, 'the disk is full');
  if (request.method === 'GET') return give(action, Number(argument), response, entry);
  const digest = createHash('sha256');
  for await (const chunk of request as AsyncIterable<Buffer>) {
    entry.bytes += chunk.length;
    digest.update(chunk);
    if (action === 'slow' && entry.bytes < 5_000_000)
      await new Promise((done) => setTimeout(done, 20));
  }
  entry.sha256 = digest.digest('hex');
  entry.end = 'whole';
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"stored":true}');
}

async function give(
  action: string,
  bytes: number,
  response: ServerResponse,
  entry: Seen,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'video/mp4',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('Übersicht 1.mp4')}`,
    ...(action.endsWith('chunked') ? {} : { 'content-length': bytes }),
  });
  for (const chunk of keystream(bytes)) {
    if (response.destroyed) return;
    if (action.startsWith('broken') && entry.bytes > bytes / 2) return void response.destroy();
    entry.bytes += chunk.length;
    if (!response.write(chunk))
      await new Promise<void>((more) => {
        response.once('drain', more);
        response.once('close', more);
      });
  }
  entry.end = 'whole';
  response.end();
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ why }));
}

// On a busy machine files of 1 GB take longer than five minutes, and a connection that is idle would be closed while it is used again.
server.requestTimeout = 0;
server.keepAliveTimeout = 0;
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`files at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
