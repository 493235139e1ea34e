import type { Inbox } from './inbox.js';
import type { NatsLink } from './nats-link.js';
import { Kind } from './sealed-message.js';
import { processSubject } from './subjects.js';
import { ProcessGone } from './transport.js';

const pingIntervalMs = 500;
/** Longer than a process takes to reconnect after losing its connection. */
const goneAfterMs = 1_500;
/** After this process reconnects, others may still be reconnecting. */
const reconnectGraceMs = 5_000;

interface Ping {
  subject: string;
  isAbsent: boolean;
}

/**
 * Finds out which processes have ended while something waits for them.
 *
 * A process is gone when nobody has listened at its own subject for 1.5 s. The server knows: the kernel closes the connection of a process
 * that is killed, and with it goes the subscription. A process that is busy, even for minutes, keeps its connection and is not taken
 * for gone, so silence alone is not a proof. A forged notice of the server is refuted by one signed sign of life.
 */
export class Peers {
  private readonly watched = new Map<string, Set<(reason: ProcessGone) => void>>();
  private readonly pings = new Map<string, Ping>();
  private readonly absentSince = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private quietUntil = 0;

  /**
   * @param waitingOn processes that calls wait for
   * @param changed called at each sign of life, when a process does not listen, and when it is gone
   */
  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    private readonly waitingOn: () => Iterable<string>,
    private readonly changed: (peer: string, state: 'present' | 'absent' | 'gone') => void,
  ) {
    this.timer = setInterval(() => this.pingAll(), pingIntervalMs).unref();
  }

  /** Registers a listener for the end of a process, until the returned function is called. */
  watch(peer: string, onGone: (reason: ProcessGone) => void): () => void {
    const listeners = this.watched.get(peer) ?? new Set();
    this.watched.set(peer, listeners.add(onGone));
    return () => {
      listeners.delete(onGone);
      if (listeners.size === 0) this.watched.delete(peer);
    };
  }

  /** Handles the notice that nobody received a message to a process. */
  suspect(peer: string): void {
    if (!this.pings.has(peer)) this.ping(peer);
  }

  /** Handles the loss of this process's connection, after which others may only be late. */
  reconnected(): void {
    this.quietUntil = Date.now() + reconnectGraceMs;
    this.absentSince.clear();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private pingAll(): void {
    const peers = new Set([
      ...this.waitingOn(),
      ...this.watched.keys(),
      ...this.absentSince.keys(),
    ]);
    for (const [peer, { subject, isAbsent }] of this.pings) {
      this.inbox.forget(subject);
      if (!isAbsent) this.absentSince.delete(peer); // it listens, but is busy
      if (!peers.has(peer)) this.pings.delete(peer);
    }
    for (const peer of peers) this.ping(peer);
  }

  private ping(peer: string): void {
    const ping: Ping = {
      isAbsent: false,
      subject: this.inbox.expect({
        kinds: [Kind.answer],
        receive: () => this.hear(peer),
        absent: () => this.miss(peer, ping),
      }),
    };
    this.pings.set(peer, ping);
    this.link.publish(
      Kind.ping,
      { subject: processSubject(peer), reply: ping.subject },
      { head: '' },
    );
  }

  private hear(peer: string): void {
    const ping = this.pings.get(peer);
    if (ping !== undefined) this.inbox.forget(ping.subject);
    this.pings.delete(peer);
    this.absentSince.delete(peer);
    this.changed(peer, 'present');
  }

  private miss(peer: string, ping: Ping): void {
    ping.isAbsent = true;
    if (Date.now() < this.quietUntil) return;
    const since = this.absentSince.get(peer);
    if (since === undefined) {
      this.absentSince.set(peer, Date.now());
      this.changed(peer, 'absent');
    } else if (Date.now() - since >= goneAfterMs) this.end(peer);
  }

  private end(peer: string): void {
    const ping = this.pings.get(peer);
    if (ping !== undefined) this.inbox.forget(ping.subject);
    this.pings.delete(peer);
    this.absentSince.delete(peer);
    const listeners = this.watched.get(peer) ?? [];
    this.watched.delete(peer);
    this.changed(peer, 'gone');
    for (const listener of listeners) listener(new ProcessGone());
  }
}
