import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { UsageBatch } from '#store';
import type { Usage } from './usage.js';

/** What a process that is killed has counted for nothing. */
const everyMs = 2_000;
const lastTries = 5;
/** In one statement. */
const mostCounts = 10_000;

/** Where counts are kept. */
export interface UsageStore {
  addUsage(batch: UsageBatch): Promise<boolean>;
  dropOldUsage(): Promise<void>;
}

/** Writes what was counted every two seconds, in one statement for all integrations, and the rest when it is stopped. */
export class UsageWriter {
  private readonly source = randomUUID();
  private readonly timer: NodeJS.Timeout;
  private last = 0;
  private busy = false;
  private unwritten: UsageBatch | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly usage: Usage,
    private readonly store: UsageStore,
  ) {
    this.timer = setInterval(() => {
      if (this.busy) return; // the database is slow: what is counted meanwhile waits for the next time
      this.write().catch((error: unknown) => {
        log.warn({ message: 'counts are written later', error: String(error) });
      });
    }, everyMs);
    this.timer.unref();
  }

  /** Writes what was counted so far. What fails is sent again, with its number, before anything new. */
  write(): Promise<void> {
    this.busy = true;
    this.writing = this.writing
      .catch(() => undefined) // told by whoever asked for that write
      .then(() => this.send())
      .finally(() => {
        this.busy = false;
      });
    return this.writing;
  }

  /** Ends the counting: to be called when no call is under way any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (let tried = 1; ; tried += 1)
      try {
        await this.write();
        return;
      } catch (error) {
        if (tried === lastTries) {
          log.error({ message: 'the last counts are lost', error: String(error) });
          return;
        }
        await sleep(tried * 200);
      }
  }

  private async send(): Promise<void> {
    if (this.unwritten !== undefined) await this.add(this.unwritten);
    for (;;) {
      const taken = this.usage.take(mostCounts);
      if (taken.counts.length > 0) {
        this.last += 1;
        await this.add({ source: this.source, number: this.last, ...taken });
      }
      if (taken.counts.length < mostCounts) return;
    }
  }

  private async add(batch: UsageBatch): Promise<void> {
    this.unwritten = batch;
    const due = await this.store.addUsage(batch);
    this.unwritten = undefined;
    if (due) await this.store.dropOldUsage();
  }
}

const log = new Logger('usage');
