import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a provider behaves: it answers, waits first, does not answer at all, fails, or sends more than anybody takes. */
export type Mood = 'answers' | 'slow' | 'dead' | 'fails' | 'huge';

const slowMs = 3_000;
const hugeChunks = 200;
const mebibyte = Buffer.alloc(1_048_576, 'x');

/** A provider of tickets whose behaviour changes. */
export class BadProvider {
  mood: Mood = 'answers';
  private readonly server = createServer((_request, response) => {
    this.answer(response).catch(() => response.destroy());
  });

  static async start(): Promise<BadProvider> {
    const provider = new BadProvider();
    await once(provider.server.listen(0, '127.0.0.1'), 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(response: ServerResponse): Promise<void> {
    const { mood } = this;
    if (mood === 'dead') return void response.destroy();
    if (mood === 'slow') await sleep(slowMs);
    if (mood === 'fails') return void response.writeHead(500).end();
    response.writeHead(mood === 'huge' ? 200 : 404, { 'content-type': 'application/json' });
    if (mood !== 'huge') return void response.end('{"message":"Not Found"}');
    for (let chunk = 0; chunk < hugeChunks && !response.destroyed; chunk += 1)
      if (!response.write(mebibyte)) await once(response, 'drain');
    response.end();
  }
}
