import { type KeyObject, randomInt, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket, type ClientOptions } from 'ws';
import {
  type AgentFacts,
  connectPath,
  handshakeMs,
  maxFrameBytes,
  protocolVersion,
  ServerLink,
  writeHello,
} from '#bridge';
import { version } from '#config/runtime';
import { describeError, type JsonLog } from '#observe/runtime';
import type { GroupCredential } from './group-credential.js';
import type { RequestPerformer } from './perform-request.js';
import type { RequestLog } from './request-log.js';

const minBackoffMs = 250;
const maxBackoffMs = 32_000;
const statsIntervalMs = 5_000;
/** Time for the requests of an agent that stops. */
const maxFinishMs = 10_000;
/** Time for a gateway to disconnect an agent that stops and has no request. */
const maxFarewellMs = 1_000;

export interface AgentParts {
  server: string;
  credential: Pick<GroupCredential, 'read' | 'watch'>;
  key: KeyObject;
  performer: RequestPerformer;
  requests: RequestLog;
  log: JsonLog;
  /** TLS and proxy of the connection to the server. */
  socketOptions: ClientOptions;
}

/** Keeps a connection to the server, and answers its requests. */
export class BridgeAgent {
  private readonly instance = randomUUID();
  private readonly startedAt = new Date();
  private readonly stopping = new AbortController();
  private readonly links = new Set<ServerLink>();
  /** Aborts when the credential has changed. */
  private renewing = new AbortController();
  private backoffMs = minBackoffMs;

  constructor(private readonly parts: AgentParts) {}

  /** Connects, and connects again whenever the connection ends, until it is stopped. */
  async run(): Promise<void> {
    const { credential } = this.parts;
    const stopWatching = credential.watch(() => {
      this.backoffMs = minBackoffMs;
      this.renewing.abort();
    });
    try {
      await this.keepConnected();
    } finally {
      stopWatching();
    }
  }

  private async keepConnected(): Promise<void> {
    const { log, server } = this.parts;
    while (!this.stopping.signal.aborted) {
      this.renewing = new AbortController();
      try {
        await this.connect();
      } catch (error) {
        log.warn({ message: 'not connected', server, reason: (error as Error).message });
        log.debug({ message: 'not connected', error: describeError(error) });
      }
      if (this.stopping.signal.aborted) return;
      const waitMs = this.backoffMs / 2 + randomInt(this.backoffMs / 2);
      this.backoffMs = Math.min(this.backoffMs * 2, maxBackoffMs);
      const signal = AbortSignal.any([this.stopping.signal, this.renewing.signal]);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Lets requests under way end, then disconnects. The gateway does so first, when it has nothing left that it has sent. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const link of this.links) link.tell({ type: 'leaving' });
    const begun = performance.now();
    const isLeaving = ({ requests, isOpen }: ServerLink) =>
      isOpen && performance.now() - begun < (requests > 0 ? maxFinishMs : maxFarewellMs);
    while ([...this.links].some(isLeaving)) await sleep(20);
    for (const link of this.links) link.close(1001, 'the agent stops');
    await this.parts.performer.close();
  }

  /**
   * Connects once. Resolves when the connection has ended, or when the gateway leaves or the credential has changed, so that another
   * connection replaces it.
   */
  private async connect(): Promise<void> {
    const { server, performer, requests, log, socketOptions } = this.parts;
    const credential = this.parts.credential.read();
    const { signal: renewing } = this.renewing;
    const socket = new WebSocket(
      `${server.replace(/^http/, 'ws').replace(/\/$/, '')}${connectPath}`,
      {
        ...socketOptions,
        headers: { authorization: `Bearer ${credential}` },
        handshakeTimeout: handshakeMs,
        maxPayload: maxFrameBytes,
        perMessageDeflate: false,
        followRedirects: false,
      },
    );
    const link = new ServerLink(socket, performer.perform, () =>
      requests.refuse('the server sent more requests at once than the agent takes'),
    );
    const stopped = () => socket.terminate();
    this.stopping.signal.addEventListener('abort', stopped, { once: true });
    try {
      await this.handshake(link, credential);
    } finally {
      this.stopping.signal.removeEventListener('abort', stopped);
    }
    for (const other of this.links) other.tell({ type: 'moved' });
    this.links.add(link);
    log.log({ message: 'connected', server });
    this.backoffMs = minBackoffMs;
    const tell = () => link.tell({ type: 'stats', stats: requests.stats });
    const timer = setInterval(tell, statsIntervalMs).unref();
    const ended = link.ended.then((reason) => {
      clearInterval(timer);
      this.links.delete(link);
      log.warn({ message: 'disconnected', server, reason });
    });
    const leaving = new Promise<void>((resolve) => {
      link.onMessage(({ type }) => {
        if (type === 'leaving') resolve();
      });
      renewing.addEventListener('abort', () => resolve(), { once: true });
      if (renewing.aborted) resolve();
    });
    await Promise.race([ended, leaving]);
  }

  /** Answers the challenge of the gateway, and waits until it is admitted. @throws Error that says why it is not */
  private async handshake(link: ServerLink, credential: string): Promise<void> {
    const { key } = this.parts;
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        link.close(1002, 'no answer');
        reject(new Error('the server did not admit the agent in time'));
      }, 2 * handshakeMs);
      const done = (error?: Error) => {
        clearTimeout(late);
        forget();
        if (error === undefined) resolve();
        else reject(error);
      };
      const forget = link.onMessage((message) => {
        const { type, nonce } = message;
        if (type === 'challenge' && typeof nonce === 'string') {
          const { instance, facts } = this;
          const hello = { protocol: protocolVersion, instance, facts };
          link.tell(writeHello(hello, { privateKey: key, nonce, credential }));
        } else if (type === 'admitted') done();
      });
      void link.ended.then((reason) => done(new Error(reason)));
    });
  }

  private get facts(): AgentFacts {
    return {
      version,
      host_name: hostname(),
      started_at: this.startedAt.toISOString(),
      allow_addresses: this.parts.performer.allowed,
      vault: this.parts.performer.vault,
    };
  }
}
