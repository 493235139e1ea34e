import { randomInt } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { ManagementSettings } from '#config';
import type { Store } from '#store';

const log = new Logger('retention');
const intervalMs = 10 * 60_000;

/**
 * Removes expired records: months of the audit trail, days of deliveries and of the request log, runs of jobs, changes of states, hours of
 * usage, keys, tokens and secrets; and creates the coming partitions. Each process tries; the database lets one at a time do it.
 */
export class Retention {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly settings: ManagementSettings,
  ) {}

  /**
   * Starts the timer. Resolves when calls can be recorded: without a partition for the current time they would be
   * refused.
   */
  async start(): Promise<void> {
    await this.store.keepMonths(this.settings.auditDays);
    await this.store.keepDeliveryDays(this.settings.deliveryDays);
    await this.store.keepRequestDays(this.settings.requestLogDays);
    await this.store.keepHistory();
    this.schedule();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
  }

  /** Runs once; failures are logged, and it runs again at the next interval. */
  async run(): Promise<void> {
    try {
      const done = [
        ...(await this.store.keepMonths(this.settings.auditDays)),
        ...(await this.store.keepDeliveryDays(this.settings.deliveryDays)),
        ...(await this.store.keepRequestDays(this.settings.requestLogDays)),
        ...(await this.store.keepHistory()),
        ...(await this.store.prune()),
      ];
      if (done.length > 0) log.debug({ message: 'removed expired records', done });
    } catch (error) {
      log.warn({
        message: 'retention failed, trying again later',
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private schedule(): void {
    this.running = this.run();
    // A random delay, so that processes that start together do not run together.
    this.timer = setTimeout(() => this.schedule(), randomInt(intervalMs * 0.75, intervalMs * 1.25));
    this.timer.unref();
  }
}
