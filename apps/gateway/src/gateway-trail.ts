import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Bus, type Origin, type GatewayRecord } from '#bus';
import { connectSessionData, type Operation } from '#contract';
import { maskTokens } from '#secrets';
import type { Whose } from './exchange.js';

const log = new Logger('gateway');
const pauseMs = 5;
const pauseAfterFailureMs = 1_000;
const patienceMs = 3_000;
const maxWaitMs = 1_000;
const maxBatchSize = 100;
const maxWaiting = 2_000;
/** Changes at providers are recorded together: no response waits for their records. */
const changesIntervalMs = 500;

/**
 * Sends requests that end at the gateway, with a known token, and changes at providers to the audit trail: in batches, with
 * equal ones counted as one. The responses of the former wait until the record is stored, but at most a second, because the
 * management service may be unavailable. While too many records wait, further ones are dropped and counted in the log.
 */
@Injectable()
export class GatewayTrail implements OnModuleDestroy {
  private readonly waiting = new Map<string, GatewayRecord>();
  private timer: NodeJS.Timeout | undefined;
  private changes: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private lost = 0;

  constructor(private readonly bus: Bus) {}

  /** Resolves once the record of a management call is stored, or has delayed the response long enough. */
  async note(
    operation: Pick<Operation, 'side'>,
    whose: Whose,
    origin: Origin,
    status: number,
    message: string | undefined,
  ): Promise<void> {
    const event =
      status === 401 ? 'token_refused' : status === 403 ? 'permission_denied' : undefined;
    const isManagement = operation.side === 'management';
    if (event === undefined && !isManagement) return; // such a call of the connector API changed nothing
    const record: GatewayRecord = {
      ...ownerOf(whose),
      ...origin,
      ...(event === undefined ? {} : { event }),
      ...(isManagement ? { status } : {}),
      ...(message === undefined ? {} : { message: maskTokens(message).slice(0, 500) }),
      times: 1,
    };
    this.add(record);
    const stored = this.soon();
    if (!isManagement) return;
    const patience = new Promise((settle) => setTimeout(settle, maxWaitMs).unref());
    await Promise.race([stored, patience]);
  }

  /**
   * Records a call of the connector API that may have changed something at a provider. Reads are counted in the status
   * only.
   */
  noteChange(whose: Whose, origin: Origin, status: number): void {
    this.add({ ...ownerOf(whose), ...origin, status, times: 1 });
    this.changes ??= setTimeout(() => void this.flush(), changesIntervalMs).unref();
  }

  /** Sends all waiting records, and waits for those being sent. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    clearTimeout(this.changes);
    this.timer = undefined;
    this.changes = undefined;
    this.next = undefined;
    this.sending = this.sending.then(() => this.send());
    await this.sending;
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
  }

  /** Resolves at the end of the next batch. */
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
    else if (this.waiting.size < maxWaiting) this.waiting.set(key, record);
    else this.lost += times;
  }

  private async send(): Promise<void> {
    if (this.lost > 0)
      log.warn({
        message: 'audit queue full, records of calls dropped',
        lost: this.lost,
      });
    this.lost = 0;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (let at = 0; at < all.length; at += maxBatchSize) {
      const records = all.slice(at, at + maxBatchSize);
      try {
        await this.bus.call('audit.gateway', { records }, { deadline: Date.now() + patienceMs });
      } catch (error) {
        // The management service is unavailable: the records wait for the next batch.
        for (const record of all.slice(at)) this.add(record);
        log.debug({
          message: 'management service unavailable, records of calls wait',
          error: String(error),
        });
        void this.soon(pauseAfterFailureMs);
        return;
      }
    }
  }
}

function ownerOf(whose: Whose) {
  const { organizationId, memberId, accountId, integrationId, tokenId, connect } = whose;
  return {
    organizationId,
    ...(memberId ? { memberId } : {}),
    ...(accountId === undefined ? {} : { accountId }),
    ...(integrationId === undefined ? {} : { integrationId }),
    ...(tokenId === undefined || connect === undefined
      ? {}
      : { session: connectSessionData({ tokenId, connect }) }),
  };
}
