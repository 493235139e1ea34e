import { randomInt } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Store } from '#store';

const log = new Logger('upkeep');
const usualAuditDays = 365;
const everyMs = 10 * 60_000;

export interface UpkeepSettings {
  /** How many days the audit trail is kept; a year unless told. */
  auditDays?: number;
}

/**
 * What has to be done from time to time: months of the audit trail made ahead and dropped, keys, tokens and secrets removed
 * that are over. Each process tries; the database lets one at a time do it.
 */
export class Upkeep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly settings: UpkeepSettings,
  ) {}

  /** Begins, and goes on. Resolves when calls can be recorded; a month that is not there would refuse them. */
  async start(): Promise<void> {
    await this.store.keepMonths(this.auditDays);
    this.again();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
  }

  /** Once, now; what fails is told and tried again the next time. */
  async run(): Promise<void> {
    try {
      const done = [
        ...(await this.store.keepMonths(this.auditDays)),
        ...(await this.store.prune()),
      ];
      if (done.length > 0) log.debug({ message: 'upkeep', done });
    } catch (error) {
      log.warn({
        message: 'upkeep failed and is tried again',
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private again(): void {
    this.running = this.run();
    // Processes that start together do not stay together.
    this.timer = setTimeout(() => this.again(), randomInt(everyMs * 0.75, everyMs * 1.25));
    this.timer.unref();
  }

  private get auditDays(): number {
    return this.settings.auditDays ?? usualAuditDays;
  }
}
