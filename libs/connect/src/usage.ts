import { Logger } from '@nestjs/common';
import type { Answered } from '#bus';
import { ApiError } from '#contract';
import type { ReportedState, UsageCounts } from '#store';
import type { IntegrationState } from './integration-state.js';

/** What is counted for. */
export interface Counted {
  organizationId: string;
  accountId: string;
  integrationId: string;
}

type Numbers = Omit<UsageCounts, keyof Counted | 'minute'>;

const minuteMs = 60_000;
const longestReason = 1_000;
/** Integrations times minutes that wait for a database that is away; beyond them nothing more is counted. */
const mostWaiting = 100_000;

/** What ran through integrations since it was last taken, in memory: no call waits for a write. */
export class Usage {
  /** By minute and integration: a call is counted several times, so its key must not have to be put together. */
  private readonly counts = new Map<number, Map<string, UsageCounts>>();
  private size = 0;
  private readonly states = new Map<string, ReportedState[]>();
  private full = false;

  /** Counts a call that this process has answered, when it was one of an integration. */
  readonly answered = ({ caller, status, inBytes, outBytes, cpuTime }: Answered): void => {
    const { organizationId, accountId, integrationId } = caller ?? {};
    if (organizationId === undefined || accountId === undefined || integrationId === undefined)
      return;
    const failed = status >= 400 ? 1 : 0;
    this.add(
      { organizationId, accountId, integrationId },
      { requests: 1, failed, inBytes, outBytes, cpuTime },
    );
  };

  add(counted: Counted, numbers: Partial<Numbers>): void {
    const entry = this.entry(counted);
    if (entry === undefined) return;
    for (const name in numbers) entry[name as keyof Numbers] += numbers[name as keyof Numbers] ?? 0;
  }

  /**
   * Notes how an integration was found. Of what is found between two writes the first two states and the last are kept, so
   * that an integration that comes and goes writes no more than that.
   */
  report(counted: Counted, status: IntegrationState, reason?: string): void {
    if (this.entry(counted) === undefined) return;
    const { integrationId } = counted;
    const found = this.states.get(integrationId) ?? [];
    if (found.at(-1)?.status === status) return;
    const error = reason === undefined ? {} : { error: storable(reason) };
    const state = { integrationId, status, at: Date.now(), ...error };
    this.states.set(integrationId, [...found.slice(0, 2), state]);
  }

  /** What was counted so far, the oldest first, and at most so much of it; it is counted anew from nothing. */
  take(most = Infinity): { counts: UsageCounts[]; states: ReportedState[] } {
    const taken: ReturnType<Usage['take']> = { counts: [], states: [] };
    for (const [minute, ofMinute] of this.counts) {
      for (const [integrationId, counts] of ofMinute) {
        if (taken.counts.length === most) break;
        taken.counts.push(counts);
        taken.states.push(...(this.states.get(integrationId) ?? []));
        ofMinute.delete(integrationId);
        this.states.delete(integrationId);
      }
      if (ofMinute.size === 0) this.counts.delete(minute);
    }
    this.size -= taken.counts.length;
    this.full = false;
    return taken;
  }

  private entry({ organizationId, accountId, integrationId }: Counted): UsageCounts | undefined {
    const minute = Math.floor(Date.now() / minuteMs) * minuteMs;
    const ofMinute = this.counts.get(minute);
    const known = ofMinute?.get(integrationId);
    if (known !== undefined) return known;
    if (this.size >= mostWaiting) {
      if (!this.full)
        log.error(`more than ${mostWaiting} counts wait for the database: calls go uncounted`);
      this.full = true;
      return undefined;
    }
    const made = {
      ...{ organizationId, accountId, integrationId, minute },
      ...{ requests: 0, failed: 0, cpuTime: 0, dbOps: 0, apiOps: 0, inBytes: 0, outBytes: 0 },
    };
    if (ofMinute === undefined) this.counts.set(minute, new Map([[integrationId, made]]));
    else ofMinute.set(integrationId, made);
    this.size += 1;
    return made;
  }
}

const log = new Logger('usage');

/** What providers say may be long, and hold what PostgreSQL keeps in no JSON: zero characters and halves of pairs. */
function storable(reason: string): string {
  return Buffer.from(reason.slice(0, longestReason)).toString().replaceAll('\0', '');
}

/** What one call of an integration uses, and how it found the integration. */
export class CallUsage {
  private reported = false;

  constructor(
    private readonly usage: Usage,
    private readonly counted: Counted,
  ) {}

  /** A call of the provider. */
  calledProvider(): void {
    this.usage.add(this.counted, { apiOps: 1 });
  }

  /** A call of the database. */
  calledDatabase(): void {
    this.usage.add(this.counted, { dbOps: 1 });
  }

  /** Runs work that keeps the processor busy, such as mapping, and counts how long it did. */
  work<T>(work: () => T): T {
    const begun = performance.now();
    try {
      return work();
    } finally {
      this.usage.add(this.counted, { cpuTime: (performance.now() - begun) * 1_000 });
    }
  }

  /** Says how the call found the integration, and why. Its failure says nothing more about it then. */
  report(state: IntegrationState, reason?: string): void {
    this.reported = true;
    this.usage.report(this.counted, state, reason);
  }

  /** The provider did what was asked, whatever was in its way before. */
  succeeded(): void {
    this.usage.report(this.counted, 'healthy');
  }

  /** The call failed. What the caller or this service did wrong tells nothing about the integration. */
  failed(error: unknown): void {
    if (this.reported || !(error instanceof ApiError)) return;
    if (error.status === 502) this.usage.report(this.counted, 'failing', error.message);
    if (error.status === 503 || error.status === 504)
      this.usage.report(this.counted, 'unavailable', error.message);
  }
}
