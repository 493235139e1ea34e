import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';
import { type OperationId } from '#contract';
import { run } from '../connector.fixture.js';
import { RecordChecks } from '../records/record-checks.js';
import { Drift } from './drift.js';
import { fieldLimits } from './known-fields.js';

beforeAll(() => void Logger.overrideLogger(false));

const integration = { id: 'int_1', providerType: 'ticketing_acme' } as ResolvedIntegration;
const sunset = 'Sat, 31 Dec 2022 23:59:59 GMT';

function setUp() {
  const counted: string[] = [];
  let now = 1_000_000;
  const drift = new Drift((provider, kind) => void counted.push(`${provider} ${kind}`), {
    now: () => now,
  });
  return { drift, counted, wait: (ms: number) => (now += ms) };
}

describe('drift', () => {
  it('counts every response, and names each finding once in ten minutes', () => {
    const { drift, counted, wait } = setUp();
    const call = drift.ofCall(integration, 'ticketing_get_ticket');
    for (let n = 0; n < 100; n += 1) call.noteResponse({ sunset }, undefined);
    expect(counted).toEqual(Array.from({ length: 100 }, () => 'ticketing_acme sunset'));
    const found = {
      integrationId: 'int_1',
      operation: 'ticketing_get_ticket',
      kind: 'sunset',
      date: '2022-12-31T23:59:59.000Z',
    };
    expect(drift.take()).toEqual([{ ...found, at: 1_000_000 }]);
    call.noteResponse({ sunset }, undefined);
    expect(drift.take()).toEqual([]);
    wait(10 * 60_000);
    call.noteResponse({ sunset }, undefined);
    expect(drift.take()).toEqual([{ ...found, at: 1_600_000 }]);
  });

  it('shows no secret that the provider repeats', () => {
    const { drift } = setUp();
    const link = '<https://docs.example.com/s3cret/end>; rel="sunset"';
    const hide = (text: string) => text.replaceAll('s3cret', '[secret]');
    drift.ofCall(integration, 'ticketing_get_ticket', hide).noteResponse({ sunset, link }, null);
    expect(drift.take()).toMatchObject([{ link: 'https://docs.example.com/[secret]/end' }]);
  });

  it('counts documents of customers as one provider, whose ids are not known in advance', () => {
    const { drift, counted } = setUp();
    const own = { ...integration, providerDocument: {} } as ResolvedIntegration;
    drift.ofCall(own, 'ticketing_get_ticket').noteUnmatchedError('418');
    expect(counted).toEqual(['custom unmatched_error']);
    expect(drift.take()).toMatchObject([{ kind: 'unmatched_error', code: '418' }]);
  });

  it('keeps a bounded number of findings while the database is away', () => {
    const { drift, counted } = setUp();
    const call = drift.ofCall(integration, 'ticketing_get_ticket');
    for (let n = 0; n < 20_000; n += 1) call.noteUnmatchedError(String(n));
    const taken = drift.take();
    expect([counted.length, taken.length]).toEqual([20_000, 1_000]);
    call.noteUnmatchedError('last');
    drift.putBack(taken);
    expect(drift.take()).toEqual(taken);
    call.noteUnmatchedError('20000');
    expect(drift.take()).toMatchObject([{ code: '20000' }]);
  });
});

const ticket = {
  id: '1',
  name: 'a',
  summary: 'a',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

describe('records of a run', () => {
  /** Runs the operation on a provider that sends these records. */
  async function send(drift: Drift, id: OperationId, records: object[]) {
    const all = records as Record<string, unknown>[];
    await run(
      id,
      { action: 'query', run: () => Promise.resolve({ all }) },
      { query: { limit: 500 } },
      { drift, checks: new RecordChecks() },
    );
    return drift.take();
  }
  const list = 'ticketing_query_tickets';

  it('show fields that were not there before', async () => {
    const { drift, counted } = setUp();
    const page = Array.from({ length: fieldLimits.sampleEvery }, () => ticket);
    for (let n = 0; n < fieldLimits.learnedRecords / fieldLimits.learnedPerResponse; n += 1)
      expect(await send(drift, list, page)).toEqual([]);
    const changed = page.map((one) => ({ ...one, sla: { breached: true } }));
    expect(await send(drift, list, changed)).toMatchObject([
      { operation: list, kind: 'new_field', path: 'sla.breached' },
    ]);
    expect(counted).toEqual(['ticketing_acme new_field']);
  });

  it('show values that the contract or the mapping does not know', async () => {
    const { drift, counted } = setUp();
    const learning = fieldLimits.learnedRecords / fieldLimits.learnedPerResponse;
    const page = Array.from({ length: fieldLimits.learnedPerResponse }, () => ticket);
    for (let n = 0; n < learning; n += 1) await send(drift, list, page);
    // The contract refuses the one; the mapping has put the other where it belongs.
    expect(await send(drift, list, [{ ...ticket, priority: 'P1' }])).toMatchObject([
      { kind: 'unknown_value', path: 'priority' },
    ]);
    const { drift: other } = setUp();
    for (let n = 0; n < learning; n += 1) await send(other, list, page);
    const moved = { ...ticket, unmapped: { priority: 'P1' } };
    expect(await send(other, list, [moved, ticket])).toMatchObject([
      { kind: 'unknown_value', path: 'priority' },
    ]);
    expect(counted).toEqual(['ticketing_acme unknown_value']);
  });

  it('of OCSF show numbers for values that are unknown, once they were known', async () => {
    const { drift, counted } = setUp();
    const finding = {
      class_name: 'Detection Finding',
      class_uid: 2004,
      category_uid: 2,
      type_uid: 200_401,
      activity_id: 1,
      severity_id: 4,
      time: 1,
      status_id: 0,
      metadata: { product: { name: 'Acme' }, version: '1.3.0' },
      finding_info: { uid: 'f-1', title: 'x' },
    };
    const page = Array.from({ length: fieldLimits.learnedPerResponse }, () => finding);
    for (let n = 0; n < fieldLimits.learnedRecords / fieldLimits.learnedPerResponse; n += 1)
      expect(await send(drift, 'siem_query_alerts', page)).toEqual([]);
    expect(counted).toHaveLength(fieldLimits.learnedRecords); // Its status was never known.
    expect(
      await send(drift, 'siem_query_alerts', [finding, { ...finding, severity_id: 99 }]),
    ).toMatchObject([{ kind: 'unknown_value', path: 'severity_id' }]);
    expect(counted).toHaveLength(fieldLimits.learnedRecords + 2);
  });
});
