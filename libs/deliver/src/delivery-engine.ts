import type { Dispatcher } from 'undici';
import type { Clock } from '#config';
import type { EgressPolicy } from '#egress';
import { deliveryQueries, type Store, type Transaction, wholeOrganization } from '#store';
import { type Attempt, recordAttempts } from './record-attempts.js';
import type { DeliveryTarget, DeliveryTargets } from './delivery-targets.js';
import { type Ended, type EndpointHealth, judgeEndpoint } from './endpoint-health.js';
import { nextAttemptAt } from './retry-schedule.js';
import { type AttemptResult, sendDelivery } from './send-delivery.js';
import { signDelivery } from './sign-delivery.js';

/** Deliveries that are read, sent and recorded together: what a killed process may send again. */
const maxBatch = 64;
/** Requests to one address at a time. */
const maxConcurrent = 8;
/** An address that fails so often in a batch is left alone for a while. */
const maxBatchFailures = 3;
/** Addresses of one organization that are worked on at the same time, in one process. */
const maxPerOrganization = 3;
/** After so long an address lets others have their turn. */
const maxTurnMs = 5_000;
/** How soon an address is looked at again that waits for its organization, or for another worker. */
const busyWaitMs = 1_000;
/** Longer than a turn and its last request: a worker that was killed keeps an address for so long. */
const leaseMs = 20_000;
/** A delivery that is found so long after its time is not sent any more. */
const graceMs = 60_000;

/** An address that receives deliveries. */
export interface Endpoint {
  organizationId: string;
  endpointId: string;
}

/** An address was paused or disabled. */
export interface EndpointStopped {
  endpoint: Endpoint;
  path: string;
  health: EndpointHealth;
}

export interface DeliveryParts {
  store: Store;
  clock: Clock;
  dispatcher: Dispatcher;
  policy: EgressPolicy;
  targets: DeliveryTargets;
  /** A further name of the header with the signature. */
  signatureHeader?: string | undefined;
  /** Counts an attempt: `delivered`, or the reason of its failure. */
  count: (outcome: string) => void;
  /** Records that an address was paused or disabled, in the transaction that does it. */
  recordStop: (tx: Transaction, stopped: EndpointStopped) => Promise<void>;
  /** Between 0 and 1. */
  random: () => number;
}

/** Deliveries that are sent to an address together. */
interface Batch {
  target: DeliveryTarget;
  due: deliveryQueries.DueDelivery[];
  at: Date;
}

/**
 * Sends what is due to an address, in turns. Deliveries are in the database until an attempt is recorded: a process that is killed
 * loses none, and sends at most one batch again, with the same ids.
 */
export class DeliveryEngine {
  private readonly turns = new Map<string, number>();
  private stopping = false;

  constructor(private readonly parts: DeliveryParts) {}

  /** Begins no further request; turns end when their requests have ended. */
  stop(): void {
    this.stopping = true;
  }

  /**
   * Sends what is due to an address until its turn is over. Of several calls for an address, in any process, one sends.
   * @returns when the next turn is due; undefined if nothing waits, or the address is paused
   */
  async run(endpoint: Endpoint): Promise<Date | undefined> {
    const { organizationId } = endpoint;
    const turns = this.turns.get(organizationId) ?? 0;
    if (turns >= maxPerOrganization) return this.in(busyWaitMs);
    this.turns.set(organizationId, turns + 1);
    try {
      const ends = performance.now() + maxTurnMs;
      for (;;) {
        const next = await this.runBatch(endpoint, ends);
        const isOver = this.stopping || performance.now() >= ends;
        if (next === undefined || isOver || next.getTime() > this.parts.clock.now()) return next;
      }
    } finally {
      const rest = (this.turns.get(organizationId) ?? 1) - 1;
      if (rest === 0) this.turns.delete(organizationId);
      else this.turns.set(organizationId, rest);
    }
  }

  private async runBatch(endpoint: Endpoint, ends: number): Promise<Date | undefined> {
    const { store } = this.parts;
    const scope = wholeOrganization(endpoint.organizationId);
    const taken = await store.write(scope, (tx) => this.takeBatch(tx, endpoint.endpointId));
    if (taken === undefined || taken instanceof Date) return taken;
    const { target, due, at } = taken;
    const isLate = ({ expiresAt }: deliveryQueries.DueDelivery) =>
      expiresAt.getTime() + graceMs < at.getTime();
    const attempts = await this.sendAll(
      target,
      due.filter((one) => !isLate(one)),
      ends,
    );
    return await store.write(scope, async (tx) => {
      if (due.some(isLate))
        await deliveryQueries.endWaiting(tx, endpoint.endpointId, {
          reason: 'expired',
          now: this.now(),
          expiredBefore: new Date(at.getTime() - graceMs),
        });
      return await this.record(tx, endpoint, target, attempts);
    });
  }

  /** Reserves an address and reads what is due. @returns the time of the next turn if there is nothing to do now */
  private async takeBatch(tx: Transaction, endpointId: string): Promise<Batch | Date | undefined> {
    const { targets } = this.parts;
    const at = this.now();
    const target = await targets.find(tx, endpointId, at);
    if (target?.health.state !== 'active') return undefined;
    const next = await deliveryQueries.findNextDue(tx, endpointId);
    const when = next && later(next, target.health.restingUntil);
    if (when === undefined || when > at) return when;
    if (!(await targets.take(tx, endpointId, at, this.in(leaseMs)))) return this.in(busyWaitMs);
    return {
      target,
      at,
      due: await deliveryQueries.listDue(tx, endpointId, { at, limit: maxBatch }),
    };
  }

  /** Sends deliveries, some at a time, until the turn ends or too many of them have failed. */
  private async sendAll(
    target: DeliveryTarget,
    due: readonly deliveryQueries.DueDelivery[],
    ends: number,
  ): Promise<Attempt[]> {
    const attempts: Attempt[] = [];
    const waiting = due.values();
    let failures = 0;
    const sendSome = async () => {
      for (const delivery of waiting) {
        const attempt = await this.send(target, delivery);
        attempts.push(attempt);
        if (attempt.result.reason !== undefined) failures += 1;
        const isOver = this.stopping || performance.now() >= ends;
        if (isOver || failures >= maxBatchFailures) return;
      }
    };
    await Promise.all(Array.from({ length: Math.min(maxConcurrent, due.length) }, sendSome));
    return attempts;
  }

  private async send(
    target: DeliveryTarget,
    delivery: deliveryQueries.DueDelivery,
  ): Promise<Attempt> {
    const { url, secret } = target;
    const { clock, random, count, signatureHeader: alias } = this.parts;
    const startedAt = clock.now();
    const started = performance.now();
    const { id, payload } = delivery;
    const body = target.read?.(payload) ?? payload;
    const result: AttemptResult =
      secret === undefined
        ? { reason: 'no_secret', error: 'the secret of the webhook has expired' }
        : await sendDelivery(
            { url, body, headers: signDelivery({ id, body, at: startedAt }, secret, alias) },
            { ...this.parts, now: () => clock.now() },
          );
    count(result.reason ?? 'delivered');
    const failed = {
      failures: delivery.failures + 1,
      expiresAt: delivery.expiresAt.getTime(),
      retryAfterMs: result.retryAfterMs,
    };
    return {
      delivery,
      result,
      startedAt,
      duration: (performance.now() - started) * 1_000,
      nextAttemptAt:
        result.reason === undefined ? undefined : nextAttemptAt(failed, clock.now(), random()),
    };
  }

  /** Stores attempts, and what they tell of the address. @returns when the next turn is due */
  private async record(
    tx: Transaction,
    endpoint: Endpoint,
    { path }: DeliveryTarget,
    attempts: readonly Attempt[],
  ): Promise<Date | undefined> {
    const { endpointId } = endpoint;
    const now = this.now();
    if (attempts.length > 0) await recordAttempts(tx, attempts, now);
    const before = await this.parts.targets.lock(tx, endpointId);
    if (before === undefined) return undefined; // deleted meanwhile
    const ended = attempts.map(({ result, startedAt, duration }): Ended => ({
      result,
      endedAt: new Date(startedAt + Math.round(duration / 1_000)),
    }));
    const after = judgeEndpoint(before, ended, now);
    await this.parts.targets.save(tx, endpointId, after);
    if (after.state !== before.state) {
      await this.parts.recordStop(tx, { endpoint, path, health: after });
      if (after.state === 'paused') await deliveryQueries.holdWaiting(tx, endpointId);
      else await deliveryQueries.endWaiting(tx, endpointId, { reason: 'disabled', now });
    }
    if (after.state !== 'active') return undefined;
    const next = await deliveryQueries.findNextDue(tx, endpointId);
    return next && later(next, after.restingUntil);
  }

  private now(): Date {
    return new Date(this.parts.clock.now());
  }

  private in(milliseconds: number): Date {
    return new Date(this.parts.clock.now() + milliseconds);
  }
}

function later(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one;
}
