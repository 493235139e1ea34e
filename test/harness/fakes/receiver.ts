import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the receiver got it. */
export interface ReceivedRequest {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Answers a request; the default answer is 204. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** A receiver of webhooks that remembers everything it was sent, in the order of arrival. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  answer: Answer = (_request, response) => response.writeHead(204).end();
  private readonly server = createServer(
    (request, response) => void this.receive(request, response),
  );

  private constructor() {}

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** How often each delivery arrived, by its id. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { headers } of this.requests) {
      const id = headers['webhook-id'] ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    this.requests.push(received);
    this.answer(received, response);
  }
}
