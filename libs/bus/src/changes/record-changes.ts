import { Logger } from '@nestjs/common';
import type { Bus } from '../bus.js';
import { maxUnheardMs } from '../events.js';

const log = new Logger('changes');

export const changeLimits = {
  /** How long an answer is remembered while all changes are certain to be known, at least. Up to a quarter more is added, so that answers of one moment do not end together. */
  rememberedMs: 60_000,
  /** From the begin of one confirmation to that of the next: two may fail before the changes are uncertain. */
  confirmIntervalMs: 300,
  /** How long a confirmation is waited for. */
  maxConfirmMs: 500,
  /** Confirmations end when nothing was looked up for so long. */
  idleMs: 150_000,
  /** Changed records that are known one by one; with more, all are taken as changed. */
  maxChanged: 10_000,
};

/** Its multiples without their whole parts are spread evenly. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/** When a look-up began: its answer has all changes from before. */
export interface LookUpStart {
  readonly sequence: number;
  /** Milliseconds of the clock of {@link RecordChanges}. */
  readonly at: number;
  readonly rememberedMs: number;
}

/** `idle`: nothing is looked up. `starting`: no confirmation yet. `unheard`: the last one is too old. */
export type Certainty = 'certain' | 'idle' | 'starting' | 'unheard';

/**
 * Knows which records have changed, so that answers of look-ups can be remembered for minutes. Changes come as events, which may be lost. So
 * the management service is also asked for them all the time, and its answer has every change that was committed before the question. An answer of
 * a look-up is used for a second, and for longer only within a second after the begin of the last such question: nothing is used for longer than a
 * second after its change, whatever is lost, slow or cut off.
 */
export class RecordChanges {
  /** Number of changes so far, in the order in which they became known here. */
  private sequence = 0;
  /** Look-ups that began before this number have to be made again. */
  private floor = 0;
  private readonly changed = new Map<string, { sequence: number; at: number }>();
  private heard = { before: new Set<string>(), now: new Set<string>() };
  private position: string | undefined;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private usedAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private spread = 0;
  private isConfirming = false;
  private isClosed = false;
  private wasCertain = true;
  private readonly stops: (() => void)[];

  constructor(
    private readonly bus: Bus,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.stops = [
      bus.subscribe('records.changed', ({ changes }) => {
        for (const change of changes) this.take(change);
      }),
      bus.onReconnect(() => this.confirmSoon(0)),
    ];
  }

  /** Called when a look-up begins, before anything is asked. */
  begin(): LookUpStart {
    this.usedAt = this.now();
    if (this.timer === undefined && !this.isConfirming) this.confirmSoon(0);
    this.spread = (this.spread + goldenRatio) % 1;
    const rememberedMs = changeLimits.rememberedMs * (1 + this.spread / 4);
    return { sequence: this.sequence, at: this.usedAt, rememberedMs };
  }

  /** True if a look-up that still runs can have nothing of before a known change, and began less than a second ago. */
  isCurrentWhileRunning({ sequence, at }: LookUpStart): boolean {
    return sequence === this.sequence && this.now() - at < maxUnheardMs;
  }

  /**
   * True if the answer of a look-up may be used.
   * @param ids of all records that it depends on
   * @param validMs how long it holds at most, by itself
   */
  isCurrent(start: LookUpStart, ids: readonly string[], validMs: number): boolean {
    const ageMs = this.now() - start.at;
    if (ageMs >= Math.min(validMs, start.rememberedMs) || start.sequence < this.floor) return false;
    for (const id of ids) if ((this.changed.get(id)?.sequence ?? 0) > start.sequence) return false;
    return ageMs < maxUnheardMs || this.isCertain;
  }

  /** True if the answer of a look-up is not used any more, whatever is known. */
  isOver({ at, rememberedMs }: LookUpStart): boolean {
    return this.now() - at >= rememberedMs;
  }

  /** Takes the record with an id as changed, or all without. */
  forget(id?: string): void {
    this.sequence += 1;
    const at = this.now();
    if (id !== undefined) {
      this.changed.delete(id); // behind the others, because it is the newest now
      this.changed.set(id, { sequence: this.sequence, at });
      this.dropOld(at);
    }
    if (id !== undefined && this.changed.size <= changeLimits.maxChanged) return;
    this.floor = this.sequence;
    this.changed.clear();
  }

  get certainty(): Certainty {
    if (this.isCertain) return 'certain';
    if (this.now() - this.usedAt > changeLimits.idleMs) return 'idle';
    return this.position === undefined ? 'starting' : 'unheard';
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
  }

  private get isCertain(): boolean {
    return this.now() - this.confirmedAt < maxUnheardMs;
  }

  /** Answers older than this are not used any more, whatever has changed. */
  private dropOld(now: number): void {
    const oldest = now - 2 * changeLimits.rememberedMs;
    for (const [id, { at }] of this.changed) {
      if (at >= oldest) return;
      this.changed.delete(id);
    }
  }

  /** Takes a change that was heard or confirmed, once: most are both, and come from each process of management. */
  private take(change: string): void {
    if (this.heard.before.has(change) || this.heard.now.has(change)) return;
    if (this.heard.now.size < changeLimits.maxChanged) this.heard.now.add(change);
    const [id] = change.split(' ', 1);
    this.forget(id);
  }

  private confirmSoon(waitMs: number): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => void this.confirm(), waitMs).unref();
  }

  private async confirm(): Promise<void> {
    this.timer = undefined;
    if (this.isConfirming) return; // which goes on by itself
    this.isConfirming = true;
    const begun = this.now();
    try {
      const input = this.position === undefined ? {} : { after: this.position };
      const deadline = Date.now() + changeLimits.maxConfirmMs;
      const { position, changes } = await this.bus.call('changes.confirm', input, { deadline });
      if (changes === undefined) this.forget();
      else for (const change of changes) this.take(change);
      this.heard = { before: this.heard.now, now: new Set() };
      this.position = position;
      this.confirmedAt = begun;
      this.note('');
    } catch (error) {
      this.note(String(error));
    } finally {
      this.isConfirming = false;
    }
    if (this.now() - this.usedAt > changeLimits.idleMs) return; // the next look-up goes on
    this.confirmSoon(Math.max(0, begun + changeLimits.confirmIntervalMs - this.now()));
  }

  /** Logs that changes are certain no more, or again. */
  private note(error: string): void {
    const { isCertain } = this;
    if (isCertain === this.wasCertain) return;
    this.wasCertain = isCertain;
    if (isCertain)
      log.log({ message: 'changes are certain again, look-ups are remembered for minutes' });
    else
      log.warn({ message: 'changes are not certain, look-ups are remembered for a second', error });
  }
}
