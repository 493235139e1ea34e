import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Clock, Ids } from '#config';
import { type Store, wholeOrganization } from '#store';
import type { ScheduleTools } from './count-failure.js';
import { fireSchedule } from './fire-schedule.js';

const log = new Logger('schedules');
/** How late a run begins at most, while there is room. */
const intervalMs = 5_000;
const maxSchedules = 500;

export interface SchedulerParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  recordDisabled?: ScheduleTools['recordDisabled'];
}

/**
 * Starts the runs of schedules that are due. Every worker has one: a schedule is fired in a transaction that has locked it and looked at
 * its time again, so only one of them fires it. A tick looks at the stored times alone, so changes hold from the next one.
 */
export class Scheduler {
  private readonly stopping = new AbortController();
  private ended: Promise<void> = Promise.resolve();

  constructor(private readonly parts: SchedulerParts) {}

  start(): void {
    this.ended = this.keepTicking();
  }

  /** Finishes the schedule that is being fired. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  /** Fires what is due now. */
  async tick(): Promise<void> {
    const { store, clock, ids } = this.parts;
    const now = new Date(clock.now());
    const { recordDisabled } = this.parts;
    const tools = { ids, now: () => now, ...(recordDisabled && { recordDisabled }) };
    for (const { organizationId, id } of await store.dueSchedules(now, maxSchedules)) {
      if (this.stopping.signal.aborted) return;
      try {
        await store.write(wholeOrganization(organizationId), (tx) => fireSchedule(tx, id, tools));
      } catch (error) {
        // One that fails must not keep the others from their turn; it is due at the next tick, too.
        log.warn({ message: 'schedule not fired', operation_id: id, error: String(error) });
      }
    }
  }

  private async keepTicking(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.tick().catch((error: unknown) =>
        log.warn({ message: 'schedules not read', error: String(error) }),
      );
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
