import {
  createServer,
  IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExpressAdapter } from '@nestjs/platform-express';
import { drainBody, drainMs } from './drain-body.js';
import {
  endConnectionWith,
  isBehindLast,
  maxHeaders,
  refuseExpectation,
  refuseProtocol,
} from './refuse-protocol.js';

// In each tick the event loop reads from sockets.
const tickMs = 50;
const quietTicks = 3;
const maxTrafficWaitMs = 5_000;
/** Longer than the first bytes of a request take to arrive. */
const unusedMs = 1_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => boolean;
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

export const maxHeaderBytes = 16 * 1024;
export const headersMs = 10_000;
/** Longer than the common 60 s of load balancers, so that they close first. */
export const keepAliveMs = 65_000;
/** Maximum number of connections; further ones are closed immediately. */
export const maxConnections = 10_000;
/** An upload may take hours; other bodies must be read within minutes, and neither may pause. */
const requestMs = 6 * 3_600_000;

/**
 * Express adapter that serves the paths of the contract before Express, whose router and body parsers cost three to five times as much
 * as node:http and are not needed there.
 */
export class GatewayAdapter extends ExpressAdapter {
  private operations: Handler = () => false;
  private takesUpgrade: (request: IncomingMessage) => boolean = () => false;
  private server!: Server;
  private begun = 0;
  private open = 0;
  /** Connections without a request, which clients open in advance, with the time of their opening. */
  private readonly unused = new Map<Socket, number>();

  /** Number of connections. */
  get connections(): number {
    return this.open;
  }

  /** Handles requests before Express, which gets those for which it returns false. */
  serveFirst(handler: Handler): void {
    this.operations = handler;
  }

  override initHttpServer(): void {
    this.disable('x-powered-by');
    const express =
      this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    this.server = createServer(
      {
        IncomingMessage: requestClass((request) => this.takesUpgrade(request)),
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: 2_000,
        keepAliveTimeout: keepAliveMs,
        requireHostHeader: false, // node refuses without a body; refuseProtocol does so with a Problem
      },
      (request, response) => {
        this.begun += 1;
        this.unused.delete(request.socket);
        if (isBehindLast(request, response) || refuseProtocol(request, response)) return;
        if (this.operations(request, response)) return;
        // Otherwise node would read and drop the rest of the body at `finish`, without a limit.
        response.once('prefinish', () => drainBody(request));
        express(request, response);
      },
    );
    this.server.on('checkExpectation', refuseExpectation);
    this.server.maxHeadersCount = maxHeaders + 1; // node drops those beyond, so that this shows that there are too many
    this.server.maxConnections = maxConnections;
    this.server.on('clientError', refuse);
    this.server.on('connection', (socket) => {
      this.open += 1;
      this.unused.set(socket, performance.now());
      socket.once('close', () => {
        this.open -= 1;
        this.unused.delete(socket);
      });
    });
    this.setHttpServer(this.server);
  }

  /** Handles requests to change the protocol. Those that it does not take are answered as if they did not ask for it. */
  onUpgrade(takes: (request: IncomingMessage) => boolean, handler: UpgradeHandler): void {
    this.takesUpgrade = takes;
    this.server.on('upgrade', (request, socket: Socket, head) => {
      this.unused.delete(socket);
      handler(request, socket, head);
    });
  }

  /** Closes the server once no requests arrive any more; resolves when all requests have their responses. */
  async drain(): Promise<void> {
    await this.quiet();
    // The response to a request from before the stop keeps its connection open, so it is closed once it is idle.
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      this.closeUnused();
    }, tickMs);
    await new Promise<void>((settle) => this.server.close(() => settle()));
    clearInterval(sweep);
  }

  /** Closes connections without a request: node does not treat them as idle and would wait for their first request without a limit. */
  private closeUnused(): void {
    for (const [socket, since] of this.unused)
      if (socket.bytesRead === 0 && performance.now() - since > unusedMs) socket.destroy();
  }

  /**
   * Closing also ends idle connections whose next request is already on its way, and which would get no response. So this waits for a
   * moment without requests, while responses close their connections and readiness keeps new clients away.
   */
  private async quiet(): Promise<void> {
    const until = performance.now() + maxTrafficWaitMs;
    let ticks = 0;
    while (ticks < quietTicks && performance.now() < until) {
      const before = this.begun;
      await sleep(tickMs);
      ticks = this.begun === before ? ticks + 1 : 0;
    }
  }
}

/**
 * Class of the server's requests. As soon as there is a handler of upgrades, node ends HTTP on a connection whose client offers another
 * protocol, such as HTTP/2 without TLS. An offer may be ignored (RFC 9110, 7.8): node's parser, which reads `upgrade` once it has all
 * headers, goes on with HTTP where it is false.
 */
function requestClass(takesUpgrade: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare private offersProtocol: boolean; // a field would be set after node's constructor, which sets `upgrade`

    get upgrade(): boolean {
      if (!this.offersProtocol) return false;
      if (this.method === 'CONNECT' || takesUpgrade(this)) return true;
      endConnectionWith(this);
      return false;
    }

    set upgrade(value: boolean | null) {
      this.offersProtocol = value === true;
    }
  };
}

/** Connections whose request was refused, and which may still send the rest of it. */
const refused = new WeakSet<Socket>();

/** Responds to errors that node:http finds before there is a request. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (refused.has(socket)) return; // the parser fails again at each further chunk
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, `the headers are longer than ${maxHeaderBytes} bytes`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, `the request did not arrive within ${headersMs / 1000} s`]
        : [400, 'the request is not HTTP'];
  const body = JSON.stringify({
    message,
    status,
    type: 'urn:onefold:problem:refused',
    instance: '/requests/none',
    occurred_at: new Date().toISOString(),
  });
  refused.add(socket);
  // Closing while bytes arrive would reset the connection, and the client would lose the response.
  const timer = setTimeout(() => socket.destroy(), drainMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[Number(status)]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
