import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** The reason for refusing a message. */
export type RefusalReason =
  | 'malformed'
  | 'unknown_version'
  | 'unknown_key'
  | 'not_authentic'
  | 'unexpected_kind'
  | 'clock_skew'
  | 'expired'
  | 'replayed'
  | 'failed';

const remedies: Readonly<Partial<Record<RefusalReason, string>>> = {
  unknown_version: 'Run the same version of every process.',
  unknown_key: 'Give every process the same key file.',
  clock_skew: 'Synchronize the clocks of the machines.',
  expired: 'Synchronize the clocks of the machines.',
};
const logIntervalMs = 10_000;
/** Longer than the interval of announcements, so that a process that refuses all of them always has a reason. */
const currentMs = 25_000;
const busLog = new Logger('bus');

/** The sender of a refused message, by its header. Only with `clockMs` it is authentic. */
export interface RefusedSender {
  process: string;
  /** The id of the key that it names. */
  key: string;
  /** How far its clock is ahead, in milliseconds; negative if it is behind. */
  clockMs?: number;
}

/** Enough for every process of a large installation with wrong settings. */
const maxSenders = 100;

/** Counts refused messages by reason. Each reason is logged immediately, and then at most every ten seconds. */
export class Refusals {
  private readonly waiting = new Map<RefusalReason, { count: number; loggedAt: number }>();

  private last: { reason: RefusalReason; at: number } | undefined;
  private readonly senders = new LRUCache<string, RefusedSender & { reason: string; at: number }>({
    max: maxSenders,
  });

  /** @param count called for each refused message, for a metric */
  constructor(
    private readonly count: (reason: RefusalReason) => void = () => undefined,
    private readonly now: () => number = Date.now,
    private readonly log: Pick<Logger, 'warn'> = busLog,
  ) {}

  /** Why this process lately refused messages of others, with the remedy, if it is one that an operator can mend. */
  get current(): string | undefined {
    if (this.last === undefined || this.now() - this.last.at > currentMs) return undefined;
    const { reason } = this.last;
    const words = `this process refuses messages of others (${reason})`;
    return `${words}. ${remedies[reason]}`;
  }

  /** Lists the processes whose messages were lately refused for what an operator can mend. */
  get refused(): (RefusedSender & { reason: string })[] {
    const since = this.now() - currentMs;
    return [...this.senders.values()].flatMap(({ at, ...sender }) => (at < since ? [] : [sender]));
  }

  /** @param sender what the message says of it, if it can be read */
  add(reason: RefusalReason, subject: string, sender?: RefusedSender, error?: unknown): void {
    this.count(reason);
    const now = this.now();
    if (sender !== undefined) this.senders.set(sender.process, { ...sender, reason, at: now });
    if (remedies[reason] !== undefined) this.last = { reason, at: now };
    const known = this.waiting.get(reason) ?? { count: 0, loggedAt: -Infinity };
    known.count += 1;
    this.waiting.set(reason, known);
    if (now - known.loggedAt < logIntervalMs) return;
    const remedy = remedies[reason];
    this.log.warn({
      message: 'refused messages of the bus',
      reason,
      count: known.count,
      subject: subject.slice(0, 200),
      ...(sender === undefined ? {} : { sender: sender.process, key: sender.key }),
      ...(sender?.clockMs === undefined ? {} : { sender_clock_ms: sender.clockMs }),
      ...(remedy === undefined ? {} : { remedy }),
      ...(error === undefined ? {} : { error: error instanceof Error ? error.message : 'unknown' }),
    });
    known.count = 0;
    known.loggedAt = now;
  }
}
