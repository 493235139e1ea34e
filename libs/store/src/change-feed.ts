import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#contract';
import type { CommittedEvent } from './event-relay.js';

/** Changes of records up to a position, each as the id that it concerns, a space, and the transaction. */
export interface ConfirmedChanges {
  position: string;
  /** Those after the position that was asked for; absent where it is not known, so any record may have changed. */
  changes?: readonly string[];
}

export const feedLimits = {
  /** Changes that are kept to be told again. */
  maxKept: 10_000,
  maxPositions: 10_000,
  /** Changes in one answer or event; an answer with more says that any record may have changed. */
  maxTold: 1_000,
  /** Callers that come within this time share one message to the database. */
  gapMs: 50,
  /** The connection is replaced where the database takes longer. */
  maxBeatMs: 2_000,
};

interface Beat {
  settle: () => void;
  fail: (error: Error) => void;
}

/**
 * The changes that the database tells of, in the order of its commits, which is the same for all who listen. A process that asks for the
 * changes gets all that were committed before it asked: a notification of this process, a beat, is sent after that, and the database delivers it
 * behind those of every transaction that was committed before.
 */
export class ChangeFeed {
  private changes: string[] = [];
  /** Number of changes that came before {@link changes}. */
  private dropped = 0;
  /** Number of changes before each beat, of this process or another. */
  private readonly positions = new Map<string, number>();
  private readonly underway = new Map<string, Beat>();
  private nextBeat: Promise<string> | undefined;
  private lastBeatAt = Number.NEGATIVE_INFINITY;
  private waiting: string[] = [];

  /**
   * @param notify sends an event to all who listen to the database
   * @param tell passes changes on as soon as they are heard
   * @param reconnect replaces a connection that does not answer
   */
  constructor(
    private readonly notify: (event: CommittedEvent) => Promise<void>,
    private readonly tell: (changes: readonly string[]) => void,
    private readonly reconnect: () => void,
  ) {}

  /** Takes an event of the database. @returns false if it is not one of the feed */
  hear({ event, payload }: CommittedEvent): boolean {
    if (event === 'changes.beat') this.hearBeat(String(payload['id']));
    else if (event === 'records.changed') this.hearChange(String(payload['change']));
    else return false;
    return true;
  }

  /** Forgets all positions, because changes may have been missed. */
  reset(): void {
    this.changes = [];
    this.dropped = 0;
    this.positions.clear();
    const error = new Error('the connection that hears changes was lost');
    for (const { fail } of this.underway.values()) fail(error);
    this.underway.clear();
  }

  /** Returns the changes that were committed before this call, as far as they are behind a position. @throws ApiError 503 if the database does not answer */
  async confirm(after: string | undefined): Promise<ConfirmedChanges> {
    const position = await (this.nextBeat ??= this.beat()).catch((error: unknown) => {
      throw new ApiError(503, 'the database tells of no changes now', { cause: error });
    });
    const from = this.positions.get(after ?? '') ?? -1;
    const to = this.positions.get(position) ?? -1;
    if (from < this.dropped || to - from > feedLimits.maxTold || to < from) return { position };
    return { position, changes: this.changes.slice(from - this.dropped, to - this.dropped) };
  }

  private async beat(): Promise<string> {
    await sleep(Math.max(0, this.lastBeatAt + feedLimits.gapMs - performance.now()));
    this.nextBeat = undefined; // whoever comes from now on may know of a later commit
    this.lastBeatAt = performance.now();
    const id = randomUUID();
    const timer = setTimeout(() => this.reconnect(), feedLimits.maxBeatMs).unref();
    try {
      const heard = new Promise<void>((settle, fail) => this.underway.set(id, { settle, fail }));
      await Promise.all([heard, this.notify({ event: 'changes.beat', payload: { id } })]);
      return id;
    } finally {
      clearTimeout(timer);
      this.underway.delete(id);
    }
  }

  private hearBeat(id: string): void {
    this.positions.set(id, this.dropped + this.changes.length);
    const [oldest] = this.positions.keys();
    if (this.positions.size > feedLimits.maxPositions && oldest !== undefined)
      this.positions.delete(oldest);
    this.underway.get(id)?.settle();
  }

  private hearChange(change: string): void {
    this.changes.push(change);
    if (this.changes.length > 2 * feedLimits.maxKept) {
      this.dropped += this.changes.length - feedLimits.maxKept;
      this.changes = this.changes.slice(-feedLimits.maxKept);
    }
    if (this.waiting.length === 0) setImmediate(() => this.tellWaiting());
    this.waiting.push(change);
  }

  private tellWaiting(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let at = 0; at < all.length; at += feedLimits.maxTold)
      this.tell(all.slice(at, at + feedLimits.maxTold));
  }
}
