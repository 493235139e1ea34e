import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { FinishedCall } from '#bus';
import { ApiError, type Call, CallNotes } from '#contract';
import { DatabaseUnavailable, type LoggedRequest, type SealedBodies } from '#store';
import { RequestLog } from './request-log.js';

beforeAll(() => {
  Logger.overrideLogger(false);
});

class Rows {
  readonly batches: (readonly LoggedRequest[])[] = [];
  failure: Error | undefined;

  async addRequests(batch: readonly LoggedRequest[]): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.batches.push([...batch]);
  }

  readonly bodies: SealedBodies[] = [];

  async addRequestBodies(batch: readonly SealedBodies[]): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.bodies.push(...batch);
  }

  get all(): LoggedRequest[] {
    return this.batches.flat();
  }
}

function finished(facts: Partial<FinishedCall> = {}, integrationId = 'int_1'): FinishedCall {
  const caller = { organizationId: 'org_1', accountId: 'acc_1', integrationId, tokenId: 'tok_1' };
  return {
    operation: 'ticketing_get_ticket',
    requestId: 'one',
    call: undefined,
    caller: caller as FinishedCall['caller'],
    status: 200,
    durationMs: 1.5,
    failure: undefined,
    answer: undefined,
    inBytes: 1,
    outBytes: 2,
    cpuTime: 3,
    ...facts,
  };
}

describe('the request log of a process', () => {
  it('keeps failures, a share of the successful calls, and the last 50 of each integration', async () => {
    const rows = new Rows();
    const numbers = [0.01, 0.99];
    let asked = 0;
    const log = new RequestLog(rows, 20, undefined, () => numbers[asked++ > 0 ? 1 : 0] ?? 1);
    for (let index = 0; index < 70; index += 1)
      log.answered(finished({ requestId: `ok-${index}` }));
    log.answered(finished({}, 'int_2'));
    log.answered(finished({ status: 502, requestId: 'failed' }));
    log.answered(finished({ caller: null }));
    await log.write();
    const of = (recent: boolean) =>
      rows.all.filter((one) => one.recent === recent).map((one) => one.request_id);
    expect(of(false)).toEqual(['ok-0', 'failed']);
    expect(of(true)).toEqual([...Array.from({ length: 50 }, (_, one) => `ok-${one + 20}`), 'one']);
    await log.write();
    expect(rows.batches).toHaveLength(1);
  });

  it('keeps fewer of the last calls of each integration, or none, where that is set', async () => {
    for (const [last, kept] of [
      [2, ['ok-3', 'ok-4', 'failed']],
      [0, ['failed']],
    ] as const) {
      const rows = new Rows();
      const log = new RequestLog(rows, 0, last);
      for (let index = 0; index < 5; index += 1)
        log.answered(finished({ requestId: `ok-${index}` }));
      log.answered(finished({ status: 502, requestId: 'failed' }));
      await log.write();
      expect(rows.all.map((one) => one.request_id).sort()).toEqual([...kept].sort());
    }
  });

  it('has the message of a failed call unless its request had a body', async () => {
    const rows = new Rows();
    const log = new RequestLog(rows, 0);
    const failure = new ApiError(409, 'the value "planted" is taken');
    log.answered(finished({ status: 409, failure }));
    log.answered(finished({ status: 409, failure, operation: 'ticketing_create_ticket' }));
    await log.write();
    expect(rows.all.map(({ problem }) => problem)).toEqual([
      { type: 'urn:onefold:problem:conflict', message: 'the value "planted" is taken' },
      { type: 'urn:onefold:problem:conflict' },
    ]);
  });

  it('shows exchanges without queries and secrets, also where the address is the secret', async () => {
    const rows = new Rows();
    const log = new RequestLog(rows, 1);
    const notes = new CallNotes();
    const hidden = 'https://hooks.example.com/hidden/address?sig=1';
    const shown = (text: string) => text.replaceAll(hidden, '[secret]').replaceAll('s3cr3t', '[x]');
    for (const url of ['https://api.example.com:8443/bots3cr3t/me?key=s3cr3t#part', hidden])
      notes.add({ method: 'GET', url: new URL(url), durationMs: 0.25, shown });
    for (let more = 0; more < 60; more += 1)
      notes.add({ method: 'GET', url: new URL('https://a/'), durationMs: 1, status: 200, shown });
    log.answered(finished({ call: { notes, query: { dry_run: true } } as unknown as Call }));
    await log.write();
    const [record] = rows.all;
    expect(record).toMatchObject({ dry_run: true, omitted_exchanges: 12, duration: 1_500 });
    expect(record?.exchanges.slice(0, 2)).toEqual([
      { method: 'GET', host: 'api.example.com:8443', path: '/bot[x]/me', duration: 250 },
      { method: 'GET', host: 'hooks.example.com', path: '[secret]', duration: 250 },
    ]);
  });

  it('writes again what an unavailable database did not take, and drops what it refuses', async () => {
    const rows = new Rows();
    const log = new RequestLog(rows, 0);
    log.answered(finished({ status: 500, requestId: 'kept' }));
    rows.failure = new DatabaseUnavailable(
      { message: 'it restarts', remediation: 'Wait.', retryAfterSeconds: 1 },
      new Error('it restarts'),
      true,
    );
    await expect(log.write()).rejects.toThrow(DatabaseUnavailable);
    rows.failure = undefined;
    await log.write();
    log.answered(finished({ status: 500, requestId: 'refused' }));
    rows.failure = new Error('no partition of relation');
    await log.write();
    rows.failure = undefined;
    await log.write();
    expect(rows.all.map((one) => one.request_id)).toEqual(['kept']);
  });

  it('keeps every call that has bodies, and its bodies while there is room for 32 million characters', async () => {
    const rows = new Rows();
    const log = new RequestLog(rows, 0);
    for (let index = 0; index < 53; index += 1) {
      const size = index === 0 ? 33_000_000 : 200_000;
      const recording = { size, finish: () => undefined, seal: () => `sealed ${index}` };
      const notes = Object.assign(new CallNotes(), { recording });
      log.answered(finished({ requestId: `${index}`, call: { notes } as unknown as Call }));
    }
    rows.failure = new DatabaseUnavailable(
      { message: 'it restarts', remediation: 'Wait.', retryAfterSeconds: 1 },
      new Error('it restarts'),
      true,
    );
    await expect(log.write()).rejects.toThrow(DatabaseUnavailable);
    rows.failure = undefined;
    await log.write();
    expect(rows.all.map(({ recent }) => recent)).toEqual([
      false,
      false,
      false,
      ...Array<boolean>(50).fill(true),
    ]);
    expect(rows.bodies).toEqual(
      rows.all.slice(0, 3).map(({ id, organization_id, integration_id }, index) => ({
        id,
        organization_id,
        integration_id,
        sealed: `sealed ${index}`,
      })),
    );
  });

  it('holds 5,000 calls of an integration and 20,000 of all', async () => {
    const rows = new Rows();
    const log = new RequestLog(rows, 0);
    for (let index = 0; index < 30_000; index += 1)
      log.answered(finished({ status: 500 }, `int_${Math.floor(index / 6_000)}`));
    await log.write();
    const count = (id: string) => rows.all.filter((one) => one.integration_id === id).length;
    expect([rows.all.length, count('int_0'), count('int_3'), count('int_4')]).toEqual([
      20_000, 5_000, 5_000, 0,
    ]);
  });
});
