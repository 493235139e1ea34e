import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';
import type { Caller } from '#contract';
import { ApiError, jobTokenId } from '#contract';
import type { ReportedDrift, UsageBatch } from '#store';
import { Drift } from '../drift/drift.js';
import { CallUsage, Usage } from './usage.js';
import { UsageWriter } from './usage-writer.js';

const counted = { organizationId: 'org_1', accountId: 'acc_1', integrationId: 'int_1' };
const caller: Caller = {
  ...counted,
  tokenId: 'tok_1',
  scope: 'integration',
  memberId: 'mem_1',
  permissions: [],
};
const answer = { caller, status: 200, inBytes: 5, outBytes: 7, cpuTime: 11, durationMs: 3 };

beforeAll(() => {
  Logger.overrideLogger(false);
  // Counts are kept by minute: time stands still, so that no test meets two minutes.
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-22T00:00:59.999Z'));
});
afterAll(() => {
  jest.restoreAllMocks();
});

describe('usage', () => {
  it('adds up the calls of an integration, and begins anew when it is taken', () => {
    const usage = new Usage();
    usage.answered(answer);
    usage.answered({ ...answer, status: 404 });
    usage.answered({ ...answer, caller: null });
    usage.answered({ ...answer, caller: { ...caller, integrationId: undefined! } });
    const { counts } = usage.take();
    const sums = counts.reduce((sum, { requests }) => sum + requests, 0);
    expect(sums).toBe(2);
    expect(counts[0]).toMatchObject(counted);
    expect(usage.take()).toEqual({ counts: [], states: [] });
  });

  it('counts the calls of jobs with those of clients, and by themselves', () => {
    const usage = new Usage();
    usage.answered(answer);
    const job = { ...answer, caller: { ...caller, tokenId: jobTokenId('int_1') } };
    usage.answered(job);
    usage.answered({ ...job, status: 502 });
    expect(usage.take().counts).toMatchObject([{ requests: 3, jobRequests: 2, failed: 1 }]);
  });

  it('counts how long calls took, by ranges', () => {
    const usage = new Usage();
    for (const durationMs of [0.4, 4, 4, 60]) usage.answered({ ...answer, durationMs });
    const [counts] = usage.take().counts;
    expect(counts?.latencies).toEqual([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('counts every minute of an integration by itself', () => {
    const usage = new Usage();
    usage.answered(answer);
    jest.mocked(Date.now).mockReturnValueOnce(Date.parse('2026-11-22T00:01:00Z'));
    usage.answered(answer);
    expect(usage.take().counts.map(({ minute, requests }) => [minute, requests])).toEqual([
      [Date.parse('2026-11-22T00:00:00Z'), 1],
      [Date.parse('2026-11-22T00:01:00Z'), 1],
    ]);
  });

  it('keeps the first two states and the last of those found between two writes', () => {
    const usage = new Usage();
    for (const state of ['healthy', 'healthy', 'failing', 'healthy', 'unavailable'] as const)
      usage.report(counted, state);
    expect(usage.take().states.map(({ status }) => status)).toEqual([
      'healthy',
      'failing',
      'unavailable',
    ]);
  });

  it('counts no more than a hundred thousand integrations while the database is away, and then again', () => {
    const usage = new Usage();
    for (let index = 0; index < 100_010; index += 1)
      usage.add({ ...counted, integrationId: `int_${index}` }, { requests: 1 });
    usage.report({ ...counted, integrationId: 'int_more' }, 'failing');
    const { counts, states } = usage.take();
    expect([counts.length, states.length]).toEqual([100_000, 0]);
    usage.answered(answer);
    expect(usage.take().counts).toHaveLength(1);
  });

  it('keeps reasons that a database can keep', () => {
    const usage = new Usage();
    usage.report(counted, 'failing', `\0${'x'.repeat(998)}😀 and more`);
    const { error = '' } = usage.take().states[0] ?? {};
    expect(error).toBe(`${'x'.repeat(998)}\uFFFD`);
  });

  it('says which request showed a state', () => {
    const usage = new Usage();
    const call = new CallUsage(usage, counted, 'request-1');
    call.report('credentials_refused', 'it said 401');
    new CallUsage(usage, counted, 'request-2').succeeded();
    expect(usage.take().states).toMatchObject([
      { status: 'credentials_refused', requestId: 'request-1' },
      { status: 'healthy', requestId: 'request-2' },
    ]);
  });

  it('says of a call what the provider reported, else what it came to', () => {
    const usage = new Usage();
    const states = (work: (call: CallUsage) => void) => {
      work(new CallUsage(usage, counted));
      return usage.take().states.map(({ status, error }) => [status, error]);
    };
    expect(states((call) => call.succeeded())).toEqual([['healthy', undefined]]);
    expect(states((call) => call.failed(new ApiError(502, 'no answer')))).toEqual([
      ['failing', 'no answer'],
    ]);
    for (const status of [503, 504])
      expect(states((call) => call.failed(new ApiError(status, 'late')))).toEqual([
        ['unavailable', 'late'],
      ]);
    for (const error of [new ApiError(400, 'x'), new ApiError(500, 'x'), new TypeError('x')])
      expect(states((call) => call.failed(error))).toEqual([]);
    const refused = (call: CallUsage) => {
      call.report('credentials_refused', 'it said 401');
      call.failed(new ApiError(502, 'the provider refused'));
    };
    expect(states(refused)).toEqual([['credentials_refused', 'it said 401']]);
    const waited = (call: CallUsage) => {
      call.report('rate_limited', 'it said 429');
      call.succeeded();
    };
    expect(states(waited)).toEqual([
      ['rate_limited', 'it said 429'],
      ['healthy', undefined],
    ]);
  });

  it('counts how long work kept the processor busy, also when it fails', () => {
    const usage = new Usage();
    const call = new CallUsage(usage, counted);
    const busy = (): never => {
      const until = performance.now() + 5;
      while (performance.now() < until);
      throw new Error('enough');
    };
    expect(() => call.work(busy)).toThrow('enough');
    expect(usage.take().counts[0]?.cpuTime).toBeGreaterThanOrEqual(5_000);
  });
});

/** A database that is away when it is told to be. */
class Memory {
  readonly batches: UsageBatch[] = [];
  away = false;
  dropped = 0;
  async addUsage(batch: UsageBatch): Promise<boolean> {
    this.batches.push(batch);
    if (this.away) throw new Error('the connection broke');
    return this.batches.length === 1;
  }
  async dropOldUsage(): Promise<void> {
    this.dropped += 1;
  }
  readonly drift: ReportedDrift[] = [];
  async addDrift(found: readonly ReportedDrift[]): Promise<void> {
    if (this.away) throw new Error('the connection broke');
    this.drift.push(...found);
  }
}

describe('the writer of usage', () => {
  it('sends a batch whose answer was lost again under its number, before what came later', async () => {
    const [usage, memory] = [new Usage(), new Memory()];
    const writer = new UsageWriter(usage, memory);
    usage.answered(answer);
    memory.away = true;
    await expect(writer.write()).rejects.toThrow('broke');
    usage.answered(answer);
    usage.answered(answer);
    memory.away = false;
    await writer.stop();
    const [lost, again, later] = memory.batches;
    expect(again).toEqual(lost);
    expect(later?.number).toBe((lost?.number ?? 0) + 1);
    expect(later?.counts[0]?.requests).toBe(2);
    expect(memory.batches).toHaveLength(3);
  });

  it('writes much in batches, each integration with its states', async () => {
    const [usage, memory] = [new Usage(), new Memory()];
    for (let index = 0; index < 25_000; index += 1) {
      const one = { ...counted, integrationId: `int_${index}` };
      usage.report(one, 'healthy');
      usage.add(one, { requests: 1 });
    }
    await new UsageWriter(usage, memory).stop();
    expect(memory.batches.map(({ counts }) => counts.length)).toEqual([10_000, 10_000, 5_000]);
    for (const { counts, states } of memory.batches)
      expect(states.map((one) => one.integrationId)).toEqual(
        counts.map((one) => one.integrationId),
      );
  });

  it('writes drift behind the counts, and again when the database was away', async () => {
    const [usage, memory, drift] = [new Usage(), new Memory(), new Drift()];
    const writer = new UsageWriter(usage, memory, drift);
    const integration = { id: 'int_1', providerType: 'acme' } as ResolvedIntegration;
    drift.ofCall(integration, 'ticketing_get_ticket').noteUnmatchedError('418');
    memory.away = true;
    usage.answered(answer);
    await expect(writer.write()).rejects.toThrow('broke');
    memory.away = false;
    await writer.stop();
    expect(memory.drift).toMatchObject([{ integrationId: 'int_1', code: '418' }]);
  });

  it('writes nothing when nothing ran, and has old rows dropped when it is due', async () => {
    const [usage, memory] = [new Usage(), new Memory()];
    const writer = new UsageWriter(usage, memory);
    await writer.write();
    expect(memory.batches).toEqual([]);
    usage.answered(answer);
    await writer.stop();
    expect([memory.batches.length, memory.dropped]).toEqual([1, 1]);
  });
});
