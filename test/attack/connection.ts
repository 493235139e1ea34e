import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** HTTP response that was read from a socket. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Connection on which a test writes any bytes. */
export class Connection {
  private received = Buffer.alloc(0);

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.received = Buffer.concat([this.received, chunk])));
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Writes the head of a request, with `connection: keep-alive`. */
  head(method: string, path: string, headers: Record<string, string | number> = {}): void {
    const lines = Object.entries({ host: 'onefold', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`);
    this.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  /** Reads the next response. Every response of the gateway has a length. @throws Error if the connection ends first */
  async response(): Promise<RawResponse> {
    for (;;) {
      const found = this.take();
      if (found) return found;
      if (this.socket.closed) throw new Error(`closed after ${this.received.toString()}`);
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private take(): RawResponse | undefined {
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.received.toString('utf8', 0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    ) as Record<string, string>;
    const length = Number(headers['content-length'] ?? 0);
    if (this.received.length < end + 4 + length) return undefined;
    const text = this.received.toString('utf8', end + 4, end + 4 + length);
    this.received = this.received.subarray(end + 4 + length);
    return { status: Number(first.split(' ')[1]), headers, text };
  }
}
