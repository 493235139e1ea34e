import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the provider got. */
export interface ProviderCall {
  /** Method and path. */
  name: string;
  /** Bytes of its body that have come. */
  bytes: number;
  /** The digest of a body that came whole. */
  sha256?: string;
}

/** A provider of things and of one file, which can keep all of its answers back. */
export class HeldProvider {
  calls: ProviderCall[] = [];
  /** Resolves when answers are not kept back, or no more. */
  released: Promise<void> = Promise.resolve();
  release: () => void = () => undefined;
  private readonly server: Server;

  private constructor(private readonly file: Buffer) {
    this.server = createServer((request, response) => {
      // A request that breaks off has no response; the caller is who learns it.
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(file: Buffer): Promise<HeldProvider> {
    const provider = new HeldProvider(file);
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Keeps answers back from now on: those to requests for things, and the second half of the file. */
  hold(): void {
    this.calls = [];
    this.released = new Promise((resolve) => (this.release = resolve));
  }

  /** Returns the requests with this method and path. */
  named(name: string): ProviderCall[] {
    return this.calls.filter((call) => call.name === name);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call: ProviderCall = { name: `${request.method} ${request.url}`, bytes: 0 };
    this.calls.push(call);
    const { released } = this;
    if (call.name === 'GET /file') {
      const half = this.file.length / 2;
      const head = { 'content-type': 'video/mp4', 'content-length': this.file.length };
      response.writeHead(200, head).write(this.file.subarray(0, half));
      await released;
      response.end(this.file.subarray(half));
      return;
    }
    const hash = createHash('sha256');
    for await (const chunk of request as AsyncIterable<Buffer>) {
      call.bytes += chunk.length;
      hash.update(chunk);
    }
    call.sha256 = hash.digest('hex');
    await released;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
  }
}
