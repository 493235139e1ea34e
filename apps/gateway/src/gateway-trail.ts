import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Bus, type Origin, type GatewayRecord } from '#bus';
import type { Operation } from '#contract';
import { maskTokens } from '#secrets';
import type { Whose } from './authenticate.js';

const log = new Logger('gateway');
const pauseMs = 5;
const pauseAfterFailureMs = 1_000;
const patienceMs = 3_000;
const longestWaitMs = 1_000;
const mostAtOnce = 100;
const mostWaiting = 2_000;

/**
 * Calls that end at the gateway although it knows whose token they came with, on their way to the audit trail: in batches,
 * the same again and again as one with its number. Their answers wait until they are stored, and go without when that takes
 * a second: the management service may be away. What comes while too many wait is counted in the log and lost.
 */
@Injectable()
export class GatewayTrail implements OnModuleDestroy {
  private readonly waiting = new Map<string, GatewayRecord>();
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private lost = 0;

  constructor(private readonly bus: Bus) {}

  /** Resolves once the record of a call of the management API is stored, or has kept its answer long enough. */
  async note(
    operation: Operation,
    whose: Whose,
    origin: Origin,
    status: number,
    message: string | undefined,
  ): Promise<void> {
    const event =
      status === 401 ? 'token_refused' : status === 403 ? 'permission_denied' : undefined;
    const isManagement = operation.side === 'management';
    if (event === undefined && !isManagement) return; // calls of the connector API are not recorded
    const { organizationId, memberId, accountId, integrationId } = whose;
    const record: GatewayRecord = {
      ...origin,
      organizationId,
      ...(memberId ? { memberId } : {}),
      ...(accountId === undefined ? {} : { accountId }),
      ...(integrationId === undefined ? {} : { integrationId }),
      ...(event === undefined ? {} : { event }),
      ...(isManagement ? { status } : {}),
      ...(message === undefined ? {} : { message: maskTokens(message).slice(0, 500) }),
      times: 1,
    };
    this.add(record);
    const stored = this.soon();
    if (isManagement) await Promise.race([stored, sleep(longestWaitMs, undefined, { ref: false })]);
  }

  /** Sends what waits, and what is on its way already. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = undefined;
    this.sending = this.sending.then(() => this.send());
    await this.sending;
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
  }

  /** The next time that something is sent. */
  private soon(pause = pauseMs): Promise<void> {
    this.next ??= new Promise((settle) => {
      this.timer = setTimeout(() => settle(this.flush()), pause).unref();
    });
    return this.next;
  }

  private add(record: GatewayRecord): void {
    const { requestId: _one, userAgent: _agent, times, ...same } = record;
    const key = JSON.stringify(same);
    const known = this.waiting.get(key);
    if (known) known.times += times;
    else if (this.waiting.size < mostWaiting) this.waiting.set(key, record);
    else this.lost += times;
  }

  private async send(): Promise<void> {
    if (this.lost > 0)
      log.warn({
        message: 'calls were refused faster than they could be recorded',
        lost: this.lost,
      });
    this.lost = 0;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (let at = 0; at < all.length; at += mostAtOnce) {
      const records = all.slice(at, at + mostAtOnce);
      try {
        await this.bus.call('audit.gateway', { records }, { deadline: Date.now() + patienceMs });
      } catch (error) {
        // The management service is away: they wait, with those that come.
        for (const record of all.slice(at)) this.add(record);
        log.debug({ message: 'records of refused calls wait', error: String(error) });
        void this.soon(pauseAfterFailureMs);
        return;
      }
    }
  }
}
