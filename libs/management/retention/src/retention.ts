import { randomInt } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Store } from '#store';

const log = new Logger('retention');
const defaultAuditDays = 365;
const intervalMs = 10 * 60_000;

export interface RetentionSettings {
  /** How many days the audit trail is kept; a year by default. */
  auditDays?: number;
}

/**
 * Removes what is kept no longer: months of the audit trail, and keys, tokens and secrets that have expired; makes the months
 * that come. Each process tries; the database lets one at a time do it.
 */
export class Retention {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly settings: RetentionSettings,
  ) {}

  /** Starts the timer. Resolves when calls can be recorded: without a partition for this month they would be refused. */
  async start(): Promise<void> {
    await this.store.keepMonths(this.auditDays);
    this.again();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
  }

  /** Runs once, now; failures are logged and tried again the next time. */
  async run(): Promise<void> {
    try {
      const done = [
        ...(await this.store.keepMonths(this.auditDays)),
        ...(await this.store.prune()),
      ];
      if (done.length > 0) log.debug({ message: 'removed what is kept no longer', done });
    } catch (error) {
      log.warn({
        message: 'retention failed, it is tried again',
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private again(): void {
    this.running = this.run();
    // Processes that start together do not stay together.
    this.timer = setTimeout(() => this.again(), randomInt(intervalMs * 0.75, intervalMs * 1.25));
    this.timer.unref();
  }

  private get auditDays(): number {
    return this.settings.auditDays ?? defaultAuditDays;
  }
}
