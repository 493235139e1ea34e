import { Logger } from '@nestjs/common';
import type { Inbox } from '../inbox.js';
import type { NatsLink } from '../nats-link.js';
import { Kind } from '../../messages/sealed-message.js';
import { processSubject } from '../../subjects.js';
import { ProcessGone } from '../../transport.js';

const log = new Logger('bus');

const pingIntervalMs = 500;
/** Longer than a process with processor time takes to reconnect after losing its connection. */
const goneAfterMs = 1_500;
/**
 * The same for a process that did not answer before: it gets little processor time, or its machine has vanished. Internal calls, such as for
 * the token of a call, have 10 s: they end as those to a process that has ended, and not by their deadline.
 */
const silentGoneAfterMs = 5_000;
/** After this process reconnects, others may still be reconnecting. */
const reconnectGraceMs = 5_000;

/** A process that has been silent for so long is called only if no other one serves the subject. */
const avoidAfterMs = 1_000;
/** A process that has been silent for so long may have vanished, or hangs. Far less than the 10 s of an internal call, which another process then answers. */
const silentAfterMs = 4_000;
/** A ping without an answer is sent again after this, because it may be lost; the answer to the former one counts as well. */
const repeatAfterMs = 3_000;
/** Pings are forgotten after this: messages expire. */
const maxPingMs = 60_000;

interface Ping {
  subject: string;
  isAbsent: boolean;
  /** In milliseconds of `performance.now()`. */
  sentAt: number;
}

/** Nobody listens at the subject of a process. */
interface Absence {
  /** In milliseconds of `performance.now()`. */
  since: number;
  goneAfterMs: number;
}

export type PeerState = 'present' | 'absent' | 'silent' | 'gone';

/** The calls that wait for a process. */
export interface WaitingCalls {
  peers: () => Iterable<string>;
  /** Returns the subjects of responses that the process should know by now. */
  overdue: (peer: string) => readonly string[];
  /** Handles those that it does not know. */
  unknown: (peer: string, replies: ReadonlySet<string>, askedAt: number) => void;
}

/**
 * Finds out which processes have ended while something waits for them.
 *
 * A process is gone when nobody has listened at its own subject for 1.5 s. The server knows: the kernel closes the connection of a process
 * that is killed, and with it goes the subscription. A process that is busy, even for minutes, keeps its connection and is not taken
 * for gone, so silence alone is not a proof: reads are left to another one after four seconds of it, and nothing else. A forged notice of the server is refuted by one signed sign of life.
 *
 * A ping names the calls that are overdue, and its answer those that the process does not work on. Messages keep their order, so such a
 * call was lost: a server that misses its own pings closes the connection of a process, and drops what was on the way in both directions.
 */
export class Peers {
  private readonly watched = new Map<string, Set<(reason: ProcessGone) => void>>();
  /** Pings without an answer of each process, the last one at the end. */
  private readonly pings = new Map<string, Ping[]>();
  private readonly absences = new Map<string, Absence>();
  /** Since when processes do not answer, in milliseconds of `performance.now()`. They are pinged until they do, or are gone. */
  private readonly avoided = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private quietUntil = 0;

  /** @param changed called at each sign of life, when a process does not listen, when it is silent, and when it is gone */
  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    private readonly calls: WaitingCalls,
    private readonly changed: (peer: string, state: PeerState) => void,
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
    this.absences.clear();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private pingAll(): void {
    const peers = new Set([
      ...this.calls.peers(),
      ...this.watched.keys(),
      ...this.absences.keys(),
      ...this.avoided.keys(),
    ]);
    const now = performance.now();
    for (const [peer, pings] of this.pings) {
      const last = pings.at(-1);
      if (last?.isAbsent === false) this.absences.delete(peer); // it listens, but is busy
      while (pings[0] !== undefined && now - pings[0].sentAt > maxPingMs)
        this.drop(pings, pings[0]);
      if (!peers.has(peer)) this.forget(peer);
      else if (pings[0]?.isAbsent === false) {
        const silentMs = now - pings[0].sentAt;
        if (silentMs > avoidAfterMs) this.changed(peer, 'absent');
        if (silentMs > silentAfterMs) this.avoid(peer, silentMs);
      }
    }
    for (const peer of peers) {
      const last = this.pings.get(peer)?.at(-1);
      if (last === undefined || last.isAbsent || now - last.sentAt > repeatAfterMs) this.ping(peer);
    }
  }

  private ping(peer: string): void {
    const pings = this.pings.get(peer) ?? [];
    this.pings.set(peer, pings);
    const last = pings.at(-1);
    if (last?.isAbsent === true) this.drop(pings, last);
    const ping: Ping = {
      isAbsent: false,
      sentAt: performance.now(),
      subject: this.inbox.expect({
        kinds: [Kind.answer],
        receive: ({ head }) => this.hear(peer, ping, head),
        absent: () => this.miss(peer, ping),
      }),
    };
    pings.push(ping);
    this.link.publish(
      Kind.ping,
      { subject: processSubject(peer), reply: ping.subject },
      { head: this.calls.overdue(peer).join('\n') },
    );
  }

  /** Leaves the reads of a process that does not answer to others. */
  private avoid(peer: string, silentMs: number): void {
    if (!this.avoided.has(peer)) {
      this.avoided.set(peer, performance.now() - silentMs);
      log.warn({
        message: 'a process is connected and does not answer: it hangs, or is overloaded',
        peer,
        silent_ms: Math.round(silentMs),
      });
    }
    this.changed(peer, 'silent');
  }

  private hear(peer: string, { sentAt }: Ping, head: string): void {
    const silentSince = this.avoided.get(peer);
    if (silentSince !== undefined) {
      this.avoided.delete(peer);
      const silentMs = Math.round(performance.now() - silentSince);
      log.log({ message: 'a process answers again', peer, silent_ms: silentMs });
    }
    this.forget(peer);
    this.absences.delete(peer);
    if (head !== '') this.calls.unknown(peer, new Set(head.split('\n')), sentAt);
    this.changed(peer, 'present');
  }

  private drop(pings: Ping[], ping: Ping): void {
    this.inbox.forget(ping.subject);
    pings.splice(pings.indexOf(ping), 1);
  }

  private forget(peer: string): void {
    for (const { subject } of this.pings.get(peer) ?? []) this.inbox.forget(subject);
    this.pings.delete(peer);
  }

  private miss(peer: string, ping: Ping): void {
    ping.isAbsent = true;
    if (Date.now() < this.quietUntil) return;
    const now = performance.now();
    const absence = this.absences.get(peer);
    if (absence === undefined) {
      const [unanswered = ping] = this.pings.get(peer) ?? [];
      const wasSilent = now - unanswered.sentAt > avoidAfterMs;
      this.absences.set(peer, {
        since: now,
        goneAfterMs: wasSilent ? silentGoneAfterMs : goneAfterMs,
      });
      this.changed(peer, 'absent');
    } else if (now - absence.since >= absence.goneAfterMs) this.end(peer);
  }

  private end(peer: string): void {
    this.forget(peer);
    this.absences.delete(peer);
    const listeners = this.watched.get(peer) ?? [];
    this.watched.delete(peer);
    this.avoided.delete(peer);
    this.changed(peer, 'gone');
    for (const listener of listeners) listener(new ProcessGone());
  }
}
