import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExpressAdapter } from '@nestjs/platform-express';
import { drainBody } from './drain-body.js';
import { ApiError } from '#contract';
import { writeProblem } from './write-answer.js';

// Each tick passes through the event loop's reading of sockets.
const tickMs = 50;
const quietTicks = 3;
const longestTrafficMs = 5_000;
/** Longer than the first bytes of a request are on their way. */
const unusedMs = 1_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => boolean;

export const maxHeaderBytes = 16 * 1024;
export const maxHeaders = 100;
export const headersMs = 10_000;
/** Connections at one time; more are closed at once. */
export const maxConnections = 10_000;
/** An upload may take hours; other bodies are read within minutes, and each of both goes on without a pause. */
const requestMs = 6 * 3_600_000;

/**
 * Express with the contract's paths served before it: its router and body parsers cost three to five times what node:http does,
 * and nothing of them is needed there.
 */
export class GatewayAdapter extends ExpressAdapter {
  private operations: Handler = () => false;
  private server!: Server;
  private begun = 0;
  /** Connections without a request yet, and since when: clients open some ahead. */
  private readonly unused = new Map<Socket, number>();

  /** What is asked first; Express gets what it returns false for. */
  serveFirst(handler: Handler): void {
    this.operations = handler;
  }

  override initHttpServer(): void {
    const express =
      this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    this.server = createServer(
      {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: 2_000,
        keepAliveTimeout: 65_000, // longer than the load balancers' usual 60 s, so that they close first
        requireHostHeader: false, // node refuses without a body; refuseWithoutHost does so with a Problem
      },
      (request, response) => {
        this.begun += 1;
        this.unused.delete(request.socket);
        if (refuseWithoutHost(request, response)) return;
        if (this.operations(request, response)) return;
        // At `finish` node itself would drop the rest of the body, however long it goes on.
        response.once('prefinish', () => drainBody(request));
        express(request, response);
      },
    );
    this.server.on('checkExpectation', refuseExpectation);
    this.server.maxHeadersCount = maxHeaders;
    this.server.maxConnections = maxConnections;
    this.server.on('clientError', refuse);
    this.server.on('connection', (socket) => {
      this.unused.set(socket, performance.now());
      socket.once('close', () => this.unused.delete(socket));
    });
    this.setHttpServer(this.server);
    (this as unknown as { httpServer: Server }).httpServer = this.server;
  }

  /** Takes no new connections once nobody sends any more; resolves when all requests have their answers. */
  async drain(): Promise<void> {
    await this.quiet();
    // An answer to what began before the word to stop keeps its connection alive: it is closed once it is idle.
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      this.closeUnused();
    }, tickMs);
    await new Promise<void>((settle) => this.server.close(() => settle()));
    clearInterval(sweep);
  }

  /** Node does not count these among the idle ones, and would wait for their first request as long as the client likes. */
  private closeUnused(): void {
    for (const [socket, since] of this.unused)
      if (socket.bytesRead === 0 && performance.now() - since > unusedMs) socket.destroy();
  }

  /**
   * Closing ends connections that look idle, also one whose next request is on its way: who sent it would get no answer. So it
   * waits for a moment in which none came, while answers tell clients to go elsewhere and readiness keeps new ones away.
   */
  private async quiet(): Promise<void> {
    const until = performance.now() + longestTrafficMs;
    let ticks = 0;
    while (ticks < quietTicks && performance.now() < until) {
      const before = this.begun;
      await sleep(tickMs);
      ticks = this.begun === before ? ticks + 1 : 0;
    }
  }
}

/** HTTP/1.1 requires the header. @returns true when it is missing and the request has its response. */
function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false;
  const problem = new ApiError(400, 'the Host header is missing', {
    remediation: 'Send the header Host with the name and port of the address.',
    headers: { connection: 'close' },
  });
  writeProblem(response, problem, 'none', request.method === 'HEAD');
  return true;
}

/** Node calls this for an `Expect` header other than `100-continue`. */
function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const problem = new ApiError(417, 'the Expect header has an unknown value', {
    remediation: 'Send Expect: 100-continue, or leave the header out.',
    headers: { connection: 'close' },
  });
  writeProblem(response, problem, 'none', request.method === 'HEAD');
}

/** What node:http refuses before there is a request. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
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
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[Number(status)]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
