import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';

type Handler = (request: IncomingMessage, response: ServerResponse) => boolean;

const largestHeaders = 16 * 1024;
const mostHeaders = 100;
const headersMs = 10_000;
/** An upload may take its time, within the longest deadline. */
const requestMs = 300_000;

/**
 * Express with the contract's paths served before it: its router and body parsers cost three to five times what node:http does,
 * and nothing of them is needed there.
 */
export class GatewayAdapter extends ExpressAdapter {
  private operations: Handler = () => false;
  private server!: Server;

  /** What is asked first; Express gets what it returns false for. */
  serveFirst(handler: Handler): void {
    this.operations = handler;
  }

  override initHttpServer(): void {
    const express =
      this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    this.server = createServer(
      {
        maxHeaderSize: largestHeaders,
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: 2_000,
        keepAliveTimeout: 65_000, // longer than the load balancers' usual 60 s, so that they close first
      },
      (request, response) => {
        if (!this.operations(request, response)) express(request, response);
      },
    );
    this.server.maxHeadersCount = mostHeaders;
    this.server.on('clientError', refuse);
    this.setHttpServer(this.server);
    (this as unknown as { httpServer: Server }).httpServer = this.server;
  }

  /** Takes no new connections; resolves when those in flight have their answers. */
  async drain(): Promise<void> {
    await new Promise<void>((settle) => {
      this.server.close(() => settle());
      this.server.closeIdleConnections();
    });
  }
}

/** What node:http refuses before there is a request. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, `the headers are longer than ${largestHeaders} bytes`]
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
