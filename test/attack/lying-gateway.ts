import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** Kinds of frames (libs/bridge/README.md). They are written here once more, because this server need not keep to what libs/bridge can send. */
const kinds = { head: 1, data: 2, end: 3, reset: 5, message: 6 };

export interface Answer {
  head: Record<string, unknown>;
  body: string;
}

/** A gateway that admits any agent, and then sends it whatever a spec likes. */
export class LyingGateway {
  /** Answers an agent that connects in place of the handshake of WebSocket. */
  onUpgrade: ((socket: Socket) => Promise<void>) | undefined;
  private readonly admitted: LyingConnection[] = [];
  private wake: () => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LyingGateway> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const gateway = new LyingGateway(server);
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (gateway.onUpgrade !== undefined) void gateway.onUpgrade(socket);
      else
        sockets.handleUpgrade(request, socket, head, (agent) => void gateway.admit(agent, socket));
    });
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves with the next connection that is admitted. */
  async next(): Promise<LyingConnection> {
    for (;;) {
      const connection = this.admitted.shift();
      if (connection !== undefined) return connection;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async admit(socket: WebSocket, raw: Socket): Promise<void> {
    const connection = new LyingConnection(socket, raw);
    const hello = once(socket, 'message');
    connection.tell({ type: 'challenge', nonce: 'nonce' });
    await hello;
    connection.tell({ type: 'admitted' });
    this.admitted.push(connection);
    this.wake();
  }
}

/** A connection to an agent. */
export class LyingConnection {
  readonly ended: Promise<unknown>;
  private readonly answers = new Map<number, { head?: Answer['head']; body: string }>();
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private last = 0;

  constructor(
    readonly socket: WebSocket,
    /** The connection below the WebSocket. */
    readonly raw: Socket,
  ) {
    this.ended = once(socket, 'close');
    socket.on('error', () => undefined); // The agent closes connections while frames are under way.
    socket.on('message', (data: Buffer) => this.receive(data));
  }

  tell(message: object): void {
    this.send(kinds.message, 0, JSON.stringify(message));
  }

  /** Sends a request without a body, and resolves with the response or failure. */
  call(head: object): Promise<Answer> {
    this.last += 1;
    const id = this.last;
    this.send(kinds.head, id, JSON.stringify(head));
    this.send(kinds.end, id, '');
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  private send(kind: number, stream: number, content: string): void {
    const head = Buffer.alloc(5);
    head.writeUInt8(kind, 0);
    head.writeUInt32BE(stream, 1);
    this.socket.send(Buffer.concat([head, Buffer.from(content)]));
  }

  private receive(data: Buffer): void {
    const [kind, id, content] = [data[0], data.readUInt32BE(1), data.subarray(5).toString()];
    const answer = this.answers.get(id) ?? { body: '' };
    this.answers.set(id, answer);
    if (kind === kinds.head) answer.head = JSON.parse(content) as Answer['head'];
    if (kind === kinds.data) answer.body += content;
    const { head = {}, body } = answer;
    if (kind === kinds.end || kind === kinds.reset || 'failure' in head)
      this.waiting.get(id)?.({ head, body });
  }
}
