import pg from 'pg';
import { ListedRows } from '../api/listed-rows.js';
import { type Service, startService } from '../api/service.js';
import { SimulatedWorker } from '../api/simulated-worker.js';
import { RecordServer } from './record-server.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Periods of the schedules, as requests write them. */
const frequencies = { '6h': 6 * hour, '1d': day, '7d': 7 * day } as const;

/** A schedule's runs in the year. Early, late and missing ones must be none. */
export interface ScheduleYear {
  frequency: string;
  runs: number;
  /** Runs that the period leaves room for after the first. */
  expected: number;
  /** Runs sooner or later after the run before than the period. */
  misplaced: number;
  firstAfterMinutes: number;
}

export interface Year {
  schedules: ScheduleYear[];
  /** Changes of the zone's offset during the year. */
  clockChanges: number;
  /** Records that the provider got, one a day, and how often the increments wrote each. */
  records: number;
  lostRecords: number;
  repeatedRecords: number;
}

/**
 * Runs the schedules of an integration for a year of a simulated clock, with two workers, in a database whose zone has summer time. The
 * process has to have the same zone in `TZ`. Needs the services of the tests (`TestServices`).
 */
export async function simulateYear(zone: string): Promise<Year> {
  const service = await startService();
  const listed = await ListedRows.start(service);
  const sink = await RecordServer.start(0);
  const workers = [new SimulatedWorker(service), new SimulatedWorker(service)];
  const database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  try {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    await database.query(`alter database ${name} set timezone to '${zone}'`);
    const begin = workers[0]?.time ?? 0;
    await createSchedules(service, sink.url);
    const due = async () => {
      const { rows } = await database.query<{ at: Date | null }>(
        'select min(next_at) as at from operation_schedules',
      );
      return rows[0]?.at?.getTime() ?? Number.NaN;
    };
    let records = 0;
    for (let at = await due(); at < begin + 365 * day; at = await due()) {
      for (; begin + records * day <= at; records += 1)
        listed.rows.push({
          id: String(records),
          time: new Date(begin + records * day).toISOString(),
        });
      listed.rows.splice(0, Math.max(0, listed.rows.length - 9)); // more than a week
      for (const worker of workers) worker.time = at;
      await Promise.all(workers.map(({ scheduler }) => scheduler.tick()));
      await workers[0]?.drain();
    }
    return {
      schedules: await yearOf(database, begin),
      clockChanges: countClockChanges(begin),
      ...(await countRecords(database, sink, records)),
    };
  } finally {
    await database.end();
    for (const worker of workers) await worker.stop();
    await service.stop();
    await listed.stop();
    await sink.stop();
  }
}

/** The increments are the schedule of six hours, so that each record is in the overlap of several. */
async function createSchedules(service: Service, sinkUrl: string): Promise<void> {
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const path = `/v1/integrations/${made.result.account.id}`;
  const integrate = async (body: object) => {
    const { status, message, result } = await service.call<{ integration: { id: string } }>(
      'POST',
      path,
      body,
    );
    if (status !== 200) throw new Error(message);
    return result.integration.id;
  };
  const sink = await integrate({ provider_config: { type: 'sink_http', url: `${sinkUrl}/in` } });
  await integrate({
    provider_config: { type: 'siem_rows' },
    scheduled_operations: Object.keys(frequencies).map((value, index) => ({
      operation: 'siem_query_events',
      enabled: true,
      sink_integration_id: sink,
      frequency: { type: 'periodic', value },
      filters: [`id[ne]${value}`],
      ...(index === 0 && { incremental_config: { mode: 'incremental' } }),
    })),
  });
}

async function yearOf(database: pg.Client, begin: number): Promise<ScheduleYear[]> {
  const { rows } = await database.query<{ frequency: string; at: Date }>(
    `select o.schedule->'frequency'->>'value' as frequency, e.started_at as at
     from operation_executions e join operations o on o.id = e.operation_id order by e.started_at`,
  );
  return Object.entries(frequencies).map(([frequency, periodMs]) => {
    const times = rows.filter((row) => row.frequency === frequency).map(({ at }) => at.getTime());
    const [first = Number.NaN] = times;
    return {
      frequency,
      runs: times.length,
      expected: Math.floor((begin + 365 * day - 1 - first) / periodMs) + 1,
      misplaced: times.slice(1).filter((time, index) => time - (times[index] ?? 0) !== periodMs)
        .length,
      firstAfterMinutes: (first - begin) / minute,
    };
  });
}

/** Counts the days on which the zone of the process has another offset than on the day before. */
function countClockChanges(begin: number): number {
  const offsetOf = (index: number) => new Date(begin + index * day).getTimezoneOffset();
  const days = Array.from({ length: 365 }, (_, index) => index);
  return days.filter((index) => offsetOf(index) !== offsetOf(index + 1)).length;
}

async function countRecords(database: pg.Client, sink: RecordServer, records: number) {
  const { rows } = await database.query<{ id: string }>(
    `select e.id from operation_executions e join operations o on o.id = e.operation_id
     where o.schedule->'frequency'->>'value' = '6h'`,
  );
  const runs = new Set(rows.map(({ id }) => id));
  const written = [...sink.batches].flatMap(([key, { ids }]) =>
    runs.has(key.slice(0, key.lastIndexOf('-'))) ? ids : [],
  );
  const distinct = new Set(written).size;
  return {
    records,
    lostRecords: records - distinct,
    repeatedRecords: written.length - distinct,
  };
}
