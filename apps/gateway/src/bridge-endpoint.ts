import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  AgentLink,
  closeCodes,
  connectPath,
  fingerprint,
  handshakeMs,
  type Hello,
  type LinkMessage,
  makeNonce,
  maxFrameBytes,
  protocolVersion,
  readHello,
} from '#bridge';
import { Bus } from '#bus';
import { ApiError } from '#contract';
import { addressBlock } from './address-block.js';
import { BridgeAgents } from './bridge-agents.js';
import { ClientAddresses } from './client-address.js';
import { AuthRateLimiter } from './auth-rate-limiter.js';
import { PendingAgents } from './pending-agents.js';

const log = new Logger('bridges');

const maxCredentialLength = 4_096;
/** Time for a refused client to read why. */
const refusedMs = 1_000;

/** The endpoint at which bridge agents connect: a WebSocket, with the credential of their group as a bearer token. */
@Injectable()
export class BridgeEndpoint {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  private readonly brake = new AuthRateLimiter();
  private readonly pending = new PendingAgents();
  private isDraining = false;

  constructor(
    private readonly bus: Bus,
    private readonly agents: BridgeAgents,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Number of agents that are not admitted yet. */
  get pendingAgents(): number {
    return this.pending.size;
  }

  handle(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const address = this.addresses.of(request);
    const block = addressBlock(address);
    const credential = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(
      request.headers.authorization ?? '',
    )?.[1];
    if (credential === undefined || credential.length > maxCredentialLength)
      return refuse(socket, 401, 'send the credential of the bridge group as a bearer token');
    if (this.isDraining) return refuse(socket, 503, 'the gateway accepts no more agents for now');
    if (this.brake.isBraked(block) || !this.pending.add(socket, block))
      return refuse(socket, 429, 'too many agents of this address were refused, or did not answer');
    // The library calls back only for a handshake that is complete. Until then each socket that closes is a failure.
    const fail = () => this.brake.failed(block);
    socket.once('close', fail);
    this.sockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', fail);
      this.admit(webSocket, credential, address)
        .catch((error: unknown) => {
          if (!(error instanceof ApiError) || error.status === 401) fail();
          log.warn({
            message: 'bridge agent refused',
            remote_addr: address,
            reason: (error as Error).message,
          });
        })
        .finally(() => this.pending.release(socket));
    });
  }

  /** Refuses new agents, and hands those that are connected over to other gateways. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.agents.drain();
  }

  /** @throws Error that says why the agent was refused; its connection is closed then */
  private async admit(socket: WebSocket, credential: string, address: string): Promise<void> {
    const link = new AgentLink(socket);
    try {
      const hello = await this.challenge(link, credential);
      const { instance, facts } = hello;
      const key = fingerprint(hello.key);
      const origin = {
        requestId: randomUUID(),
        method: 'GET',
        path: connectPath,
        remoteAddress: address,
        userAgent: `onefold-bridge-agent/${facts.version}`,
      };
      const agent = { key, instance, facts };
      const { organizationId, bridgeId, session } = await this.bus.call('bridges.admit', {
        credential,
        agent,
        origin,
      });
      if (!link.isOpen) return;
      link.tell({ type: 'admitted' });
      this.agents.add({ organizationId, bridgeId, key, instance, session, link });
    } catch (error) {
      link.close(closeCodes.refused, (error as Error).message);
      throw error;
    }
  }

  private async challenge(link: AgentLink, credential: string): Promise<Hello> {
    const nonce = makeNonce();
    const answer = new Promise<LinkMessage>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error('the agent did not answer in time')),
        handshakeMs,
      );
      const forget = link.onMessage((message) => {
        clearTimeout(late);
        forget();
        resolve(message);
      });
      void link.ended.then((reason) => {
        clearTimeout(late);
        reject(new Error(reason));
      });
    });
    link.tell({ type: 'challenge', protocol: protocolVersion, nonce });
    const hello = readHello(await answer, { nonce, credential });
    if (Math.abs(hello.protocol - protocolVersion) <= 1) return hello;
    throw new Error(
      `the agent speaks version ${hello.protocol} of the protocol, and the gateway ${protocolVersion}: install a newer one`,
    );
  }
}

function refuse(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({
    message,
    status,
    type: 'urn:onefold:problem:refused',
    instance: '/requests/none',
    occurred_at: new Date().toISOString(),
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Node has no timeout for a socket whose protocol was to change, and its client may never close it.
  const timer = setTimeout(() => socket.destroy(), refusedMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy()).resume();
}
