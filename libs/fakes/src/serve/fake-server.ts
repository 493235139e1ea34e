import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { FakeResponse, WebhookMessage } from '../engine/messages.js';
import { control, type Controlled, controlPrefix } from './control.js';

const maxBodyBytes = 32 * 1024 * 1024;

/** A fake that listens on a socket of this machine. */
export class FakeServer {
  private readonly server: Server;

  constructor(private readonly fake: Controlled) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** @param port 0 for any @returns the address */
  async listen(port: number): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await readBytes(request);
    if (body === undefined) {
      response.writeHead(413).end();
      return;
    }
    if (url.startsWith(controlPrefix)) {
      await send(control(this.fake, method, url, body), response);
      return;
    }
    const { engine, handle = (one) => engine.handle(one) } = this.fake;
    const answer = await handle({
      method,
      url: `http://${headers.host ?? 'localhost'}${url}`,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
      ),
      body,
    });
    await send(answer, response);
    await Promise.all((answer.messages ?? []).map(sendMessage));
  }
}

/** Sends a webhook message. A receiver that refuses it is not a fault of the fake, and is written to standard error. */
async function sendMessage({ url, headers, body }: WebhookMessage): Promise<void> {
  try {
    const given = { method: 'POST', headers: { ...headers }, body: Buffer.from(body) };
    // A fake runs on a developer's machine, without an egress policy, and sends where a request told it to.
    // eslint-disable-next-line no-restricted-globals
    const { ok, status } = await fetch(url, given);
    if (!ok) process.stderr.write(`a webhook message was answered with ${status}\n`);
  } catch (error) {
    process.stderr.write(`a webhook message was not sent: ${String(error)}\n`);
  }
}

async function send(
  { status, headers, body, file, broken, delayMs }: FakeResponse,
  response: ServerResponse,
): Promise<void> {
  if (delayMs !== undefined) await setTimeout(delayMs);
  if (broken === 'never') return;
  if (broken === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const size = file === undefined ? body.length : file.size;
  response.writeHead(status, { ...headers, ...(size !== undefined && { 'content-length': size }) });
  if (file !== undefined && broken !== 'half') {
    await pipeline(file.chunks(), response);
    return;
  }
  if (broken === 'half')
    response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy());
  else response.end(body);
}

/** @returns undefined when there is too much of it */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk); // the rest is read away, so that the client reads the response
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks);
}
