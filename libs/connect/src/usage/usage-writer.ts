import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ReportedDrift, UsageBatch } from '#store';
import type { Drift } from '../drift/drift.js';
import type { RequestLog } from '../request-log/request-log.js';
import type { Usage } from './usage.js';

/** Flush interval: a killed process loses at most the counts of this time. */
const flushIntervalMs = 2_000;
const maxFlushAttempts = 5;
/** Maximum number of counts in one statement. */
const maxCounts = 10_000;

/** Stores counts. */
export interface UsageStore {
  addUsage(batch: UsageBatch): Promise<boolean>;
  dropOldUsage(): Promise<void>;
  addDrift(found: readonly ReportedDrift[]): Promise<void>;
}

/** Writes counts every two seconds, in one statement for all integrations, then drift and logged calls if there are any, and the rest when it stops. */
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
    private readonly drift?: Drift,
    private readonly requests?: Pick<RequestLog, 'write'>,
  ) {
    this.timer = setInterval(() => {
      if (this.busy) return; // the database is slow: new counts wait for the next interval
      this.write().catch((error: unknown) => {
        log.warn({ message: 'usage flush failed, counts are sent again', error: String(error) });
      });
    }, flushIntervalMs);
    this.timer.unref();
  }

  /** Writes the counts so far. A failed batch is sent again, with its number, before newer ones. */
  write(): Promise<void> {
    this.busy = true;
    this.writing = this.writing
      .catch(() => undefined) // the caller of that write gets the error
      .then(() => this.send())
      .finally(() => {
        this.busy = false;
      });
    return this.writing;
  }

  /** Writes the remaining counts. Called after the last call has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (let tried = 1; ; tried += 1)
      try {
        await this.write();
        return;
      } catch (error) {
        if (tried === maxFlushAttempts) {
          log.error({ message: 'final usage flush failed, counts lost', error: String(error) });
          return;
        }
        await sleep(tried * 200);
      }
  }

  /** Writes drift behind the counts of the same calls, because an integration has a status when it is counted. */
  private async send(): Promise<void> {
    const found = this.drift?.take() ?? [];
    try {
      await this.sendCounts();
      if (found.length > 0) await this.store.addDrift(found);
    } catch (error) {
      this.drift?.putBack(found);
      throw error;
    }
    await this.requests?.write();
  }

  private async sendCounts(): Promise<void> {
    if (this.unwritten !== undefined) await this.add(this.unwritten);
    for (;;) {
      const taken = this.usage.take(maxCounts);
      if (taken.counts.length > 0) {
        this.last += 1;
        await this.add({ source: this.source, number: this.last, ...taken });
      }
      if (taken.counts.length < maxCounts) return;
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
