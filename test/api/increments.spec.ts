import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { Random } from '../attack/random.js';
import { type ListedRow, ListedRows } from './listed-rows.js';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let service: Service;
let listed: ListedRows;
let receiver: EventReceiver;
let worker: SimulatedWorker;
let account: string;
let sink: string;
let rowsOf: string | undefined;

beforeAll(async () => {
  service = await startService();
  listed = await ListedRows.start(service);
  receiver = await EventReceiver.start();
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = made.result.account.id;
  sink = await integrate({ provider_config: { type: 'sink_http', url: receiver.url } });
});
beforeEach(() => {
  worker = new SimulatedWorker(service);
});
afterEach(async () => {
  await worker.stop();
  await service.call('DELETE', `/v1/integrations/${account}/${rowsOf}`);
  Object.assign(listed, { rows: [], status: 200, onRequest: () => undefined });
  receiver.requests = [];
});
afterAll(async () => {
  await service.stop();
  await listed.stop();
  await receiver.stop();
});

async function integrate(body: object): Promise<string> {
  const path = `/v1/integrations/${account}`;
  const { status, message, result } = await service.call<{ integration: { id: string } }>(
    'POST',
    path,
    body,
  );
  expect([status, message]).toEqual([200, '']);
  return result.integration.id;
}

async function schedule(more: object): Promise<void> {
  rowsOf = await integrate({
    provider_config: { type: 'siem_rows' },
    scheduled_operations: [
      {
        operation: 'siem_query_events',
        enabled: true,
        sink_integration_id: sink,
        frequency: { type: 'periodic', value: '5m' },
        ...more,
      },
    ],
  });
}

const row = (id: string, time: number): ListedRow => ({ id, time: new Date(time).toISOString() });
const received = () => receiver.requests.flatMap(({ events }) => events as ListedRow[]);
const ids = () => received().map(({ id }) => id);

async function runs(): Promise<{ status: string; records_processed: number }[]> {
  const path = `/v1/jobs/history?limit=500&order=started_at&filter=integration_id[eq]${rowsOf}`;
  return (await service.call('GET', path)).result as never;
}

describe('increments', () => {
  const incremental = { incremental_config: { mode: 'incremental' } };

  it('read what is newer than the creation of the schedule, once, and changed records again', async () => {
    listed.rows = [row('old', worker.time - day)];
    await schedule(incremental);
    await worker.pass(10 * minute);
    expect(ids()).toEqual([]);
    listed.rows.push(row('a', worker.time), row('b', worker.time + 1_000));
    await worker.pass(hour);
    expect(ids()).toEqual(['a', 'b']);
    listed.rows = [row('old', worker.time), row('b', worker.time), ...listed.rows.slice(1, 2)];
    await worker.pass(hour);
    expect(ids().sort()).toEqual(['a', 'b', 'b', 'old']);
  });

  it.each([1, 2, 3])(
    'neither lose nor repeat records at the edge, whatever comes late or fails (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      await schedule(incremental);
      const expected: string[] = [];
      let requests = 0;
      let failsAt = 0;
      listed.onRequest = () => {
        requests += 1;
        listed.status = requests === failsAt ? 404 : 200;
      };
      for (let step = 0; step < 40; step += 1) {
        // Many have the same time: that of the step, or minutes before it, as providers show some late.
        const count = random.below(6);
        for (let n = 0; n < count; n += 1) {
          const late = random.below(3) * 2 * minute;
          const id = `${step}-${n}`;
          const at = random.below(listed.rows.length + 1);
          listed.rows.splice(at, 0, row(id, worker.time - late));
          expected.push(id);
        }
        requests = 0;
        failsAt = random.chance(0.2) ? 2 : 0;
        await worker.pass(2 * minute, minute);
      }
      failsAt = 0;
      await worker.pass(30 * minute, 5 * minute);
      expect(ids().sort()).toEqual(expected.sort());
      expect((await runs()).some(({ status }) => status === 'CANCELLED')).toBe(true);
    },
  );

  it('go on where they were after the clock was wrong, and after a pause', async () => {
    await schedule(incremental);
    await worker.pass(10 * minute);
    worker.time += 365 * day;
    await worker.pass(5 * minute);
    worker.time -= 365 * day;
    listed.rows.push(row('a', worker.time - minute));
    await worker.pass(15 * minute);
    expect(ids()).toEqual(['a']);
    listed.rows.push(row('b', worker.time + 6 * hour));
    await worker.pass(day, day); // no worker for a day
    expect(ids()).toEqual(['a', 'b']);
  });
});

describe('a backfill', () => {
  const backfill = {
    frequency: { type: 'periodic', value: '1h' },
    backfill_from_time: '5d',
    incremental_config: { mode: 'incremental' },
  };
  const past = () =>
    Array.from({ length: 20 }, (_, n) => row(`past-${n}`, worker.time - hour - n * (day / 2)));

  it('reads days of the past, newest first, beside the increments', async () => {
    listed.rows = past();
    await schedule(backfill);
    listed.rows.push(row('new', worker.time + minute));
    await worker.pass(3 * hour, hour);
    const days = ids().flatMap((id) => /^past-(\d+)$/.exec(id)?.[1] ?? []);
    expect(days.map((n) => Math.floor(Number(n) / 2))).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    expect(new Set(days).size).toBe(10);
    expect(ids().filter((id) => id === 'new')).toHaveLength(1);
    const read = (await runs()).map(({ records_processed: records }) => records);
    expect(read.filter((records) => records === 2)).toHaveLength(5);
  });

  it('goes on with the day that failed', async () => {
    listed.rows = past();
    await schedule(backfill);
    let requests = 0;
    listed.onRequest = () => {
      requests += 1;
      listed.status = requests === 20 ? 404 : 200;
    };
    await worker.pass(hour, hour);
    expect((await runs()).filter(({ status }) => status === 'CANCELLED')).toHaveLength(1);
    const before = ids().length;
    expect(before).toBeLessThan(10);
    await worker.pass(hour, hour);
    expect(ids().length).toBeGreaterThan(before);
    expect(new Set(ids()).size).toBe(10);
  });
});

describe('a full snapshot', () => {
  const snapshot = {
    frequency: { type: 'periodic', value: '1h' },
    incremental_config: { mode: 'full_snapshot' },
  };

  it('is between two marks with its id, the second of which counts its records', async () => {
    listed.rows = Array.from({ length: 12 }, (_, n) => row(`r-${n}`, worker.time));
    await schedule(snapshot);
    await worker.pass(hour, hour);
    const events = received() as unknown as Record<string, unknown>[];
    expect(events).toHaveLength(14);
    const snapshot_id = String(events[0]?.['snapshot_id']);
    const integration_id = rowsOf;
    expect(events[0]).toMatchObject({ type: 'snapshot_begin', snapshot_id, integration_id });
    expect(events.at(-1)).toMatchObject({ type: 'snapshot_end', snapshot_id, records: 12 });
    for (const { headers } of receiver.requests)
      expect(headers['idempotency-key']).toMatch(new RegExp(`^${snapshot_id}-\\d+$`));
    expect(await runs()).toMatchObject([{ records_processed: 12 }]);
  });

  it('has no end when it failed, and both marks when there is nothing', async () => {
    listed.rows = Array.from({ length: 12 }, (_, n) => row(`r-${n}`, worker.time));
    await schedule(snapshot);
    let requests = 0;
    listed.onRequest = () => {
      requests += 1;
      listed.status = requests > 5 ? 404 : 200; // five are a page
    };
    await worker.pass(hour, hour);
    const types = () => received().map((one) => (one as unknown as { type?: string }).type);
    expect(types()).toContain('snapshot_begin');
    expect(types()).not.toContain('snapshot_end');
    receiver.requests = [];
    Object.assign(listed, { rows: [], onRequest: () => undefined, status: 200 });
    await worker.pass(hour, hour);
    expect(received()).toMatchObject([
      { type: 'snapshot_begin' },
      { type: 'snapshot_end', records: 0 },
    ]);
  });
});
