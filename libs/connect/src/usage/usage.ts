import { Logger } from '@nestjs/common';
import type { FinishedCall } from '#bus';
import { ApiError, isJob } from '#contract';
import { countLatency, type ReportedState, storableText, type UsageCounts } from '#store';
import { GrantEnded } from '../integrations/credential-renewals.js';
import type { IntegrationState } from '../integrations/integration-state.js';

/** The integration that counts belong to. */
export interface Counted {
  organizationId: string;
  accountId: string;
  integrationId: string;
}

type UsageNumbers = Omit<UsageCounts, keyof Counted | 'minute' | 'latencies'>;
type Entry = UsageCounts & { latencies: number[] };

const minuteMs = 60_000;
const maxReasonLength = 1_000;
/** Maximum number of unwritten counts, one per integration and minute; while the database is unavailable, calls beyond it are not counted. */
const maxUnwritten = 100_000;

/** Counts the use of integrations in memory, so that no call waits for a write. */
export class Usage {
  /** By minute and integration: a call is counted several times, so its key must not have to be put together. */
  private readonly counts = new Map<number, Map<string, Entry>>();
  private size = 0;
  private readonly states = new Map<string, ReportedState[]>();
  private full = false;

  /** Counts a call that this process has answered, if it belongs to an integration. */
  readonly answered = ({
    caller,
    status,
    inBytes,
    outBytes,
    cpuTime,
    durationMs,
  }: Pick<
    FinishedCall,
    'caller' | 'status' | 'inBytes' | 'outBytes' | 'cpuTime' | 'durationMs'
  >): void => {
    const { organizationId, accountId, integrationId } = caller ?? {};
    if (organizationId === undefined || accountId === undefined || integrationId === undefined)
      return;
    const failed = status >= 400 ? 1 : 0;
    const jobRequests = isJob(caller ?? {}) ? 1 : 0;
    const counted = { organizationId, accountId, integrationId };
    this.add(counted, { requests: 1, jobRequests, failed, inBytes, outBytes, cpuTime });
    const entry = this.entry(counted);
    if (entry !== undefined) countLatency(entry.latencies, durationMs);
  };

  add(counted: Counted, numbers: Partial<UsageNumbers>): void {
    const entry = this.entry(counted);
    if (entry === undefined) return;
    for (const name in numbers)
      entry[name as keyof UsageNumbers] += numbers[name as keyof UsageNumbers] ?? 0;
  }

  /**
   * Notes the state of an integration. Of the states between two writes the first two and the last are kept, which limits what an
   * unstable integration writes.
   */
  report(counted: Counted, status: IntegrationState, reason?: string, requestId?: string): void {
    if (this.entry(counted) === undefined) return;
    const { integrationId } = counted;
    const found = this.states.get(integrationId) ?? [];
    if (found.at(-1)?.status === status) return;
    const error = reason === undefined ? {} : { error: storableText(reason, maxReasonLength) };
    const request = requestId === undefined ? {} : { requestId };
    const state = { integrationId, status, at: Date.now(), ...error, ...request };
    this.states.set(integrationId, [...found.slice(0, 2), state]);
  }

  /** Takes the counts so far, the oldest first. Counting continues from zero. */
  take(maxCounts = Infinity): { counts: UsageCounts[]; states: ReportedState[] } {
    const taken: ReturnType<Usage['take']> = { counts: [], states: [] };
    for (const [minute, ofMinute] of this.counts) {
      for (const [integrationId, counts] of ofMinute) {
        if (taken.counts.length === maxCounts) break;
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

  private entry({ organizationId, accountId, integrationId }: Counted): Entry | undefined {
    const minute = Math.floor(Date.now() / minuteMs) * minuteMs;
    const ofMinute = this.counts.get(minute);
    const known = ofMinute?.get(integrationId);
    if (known !== undefined) return known;
    if (this.size >= maxUnwritten) {
      if (!this.full)
        log.error(`more than ${maxUnwritten} counts wait for the database: calls are not counted`);
      this.full = true;
      return undefined;
    }
    const made = {
      organizationId,
      accountId,
      integrationId,
      minute,
      requests: 0,
      jobRequests: 0,
      failed: 0,
      cpuTime: 0,
      dbOps: 0,
      apiOps: 0,
      inBytes: 0,
      outBytes: 0,
      latencies: [],
    };
    if (ofMinute === undefined) this.counts.set(minute, new Map([[integrationId, made]]));
    else ofMinute.set(integrationId, made);
    this.size += 1;
    return made;
  }
}

const log = new Logger('usage');

/** Counts what one call of an integration uses, and notes the integration's state. */
export class CallUsage {
  private reported = false;

  constructor(
    private readonly usage: Usage,
    private readonly counted: Counted,
    private readonly requestId?: string,
  ) {}

  /** Counts a call of the provider. */
  calledProvider(): void {
    this.usage.add(this.counted, { apiOps: 1 });
  }

  /** Counts a call of the database. */
  calledDatabase(): void {
    this.usage.add(this.counted, { dbOps: 1 });
  }

  /** Runs CPU-bound work, such as mapping, and counts its time. */
  work<T>(work: () => T): T {
    const begun = performance.now();
    try {
      return work();
    } finally {
      this.usage.add(this.counted, { cpuTime: (performance.now() - begun) * 1_000 });
    }
  }

  /** Notes the state of the integration and the reason. A later failure of the same call does not change it. */
  report(state: IntegrationState, reason?: string): void {
    this.reported = true;
    this.note(state, reason);
  }

  /** Notes that the call succeeded, which makes the integration healthy. */
  succeeded(): void {
    this.note('healthy');
  }

  /** Notes a failed call. Errors of the caller and of this service do not change the integration's state. */
  failed(error: unknown): void {
    if (error instanceof GrantEnded) this.report('credentials_refused', error.message);
    if (this.reported || !(error instanceof ApiError)) return;
    if (error.status === 502) this.note('failing', error.message);
    if (error.status === 503 || error.status === 504) this.note('unavailable', error.message);
  }

  private note(state: IntegrationState, reason?: string): void {
    this.usage.report(this.counted, state, reason, this.requestId);
  }
}
