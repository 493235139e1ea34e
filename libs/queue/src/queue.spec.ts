import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPool } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import {
  defineTask,
  enqueue,
  handleTask,
  migrateQueue,
  queueDepth,
  QueueWorker,
  type Task,
  type TaskHandler,
} from './index.js';
import { queueRevision } from './migrate-queue.js';

let database: TestDatabase;
let pool: pg.Pool;
const workers: QueueWorker[] = [];
let tasks = 0;

beforeAll(async () => {
  database = await createMigratedDatabase();
  pool = openPool({ url: database.url, poolSize: 12 });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A task of this spec that no other one takes. */
function newTask(): Task<{ n: number }> {
  tasks += 1;
  return defineTask<{ n: number }>(`spec.task_${tasks}`);
}

function start(handlers: TaskHandler[], concurrency = 2): QueueWorker {
  const worker = new QueueWorker({ pool, handlers, concurrency });
  worker.start();
  workers.push(worker);
  return worker;
}

/** Runs statements in one transaction. */
async function transaction(end: 'commit' | 'rollback', work: (tx: pg.PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query(end);
  } finally {
    client.release();
  }
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((settle) => setTimeout(settle, 20));
}

describe('a task', () => {
  it('runs when the transaction that enqueued it is committed, and never when it is rolled back', async () => {
    const task = newTask();
    const ran: number[] = [];
    start([handleTask(task, ({ n }) => Promise.resolve(void ran.push(n)))]);
    await transaction('rollback', (tx) => enqueue(tx, task, { n: 1 }));
    await transaction('commit', async (tx) => {
      await enqueue(tx, task, { n: 2 });
      await new Promise((settle) => setTimeout(settle, 100));
      expect(ran).toEqual([]);
    });
    await until(() => ran.length > 0);
    expect(ran).toEqual([2]);
  });

  it('is enqueued as the role of the services', async () => {
    const { rows } = await pool.query<{ current_user: string }>('select current_user');
    expect(rows[0]?.current_user).toBe('onefold_application');
  });

  it('that fails runs again later, and counts its attempts', async () => {
    const task = newTask();
    const attempts: number[] = [];
    start([
      handleTask(task, (_payload, { attempt }) => {
        attempts.push(attempt);
        return attempt === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
      }),
    ]);
    await transaction('commit', (tx) => enqueue(tx, task, { n: 1 }));
    await until(() => attempts.length > 1);
    expect(attempts).toEqual([1, 2]);
  });

  it('waits for its time, and the newer one of a key replaces the older one', async () => {
    const task = newTask();
    const ran: number[] = [];
    const later = { runAt: new Date(Date.now() + 3_600_000), key: 'one' };
    await transaction('commit', (tx) => enqueue(tx, task, { n: 1 }, later));
    start([handleTask(task, ({ n }) => Promise.resolve(void ran.push(n)))]);
    expect((await queueDepth(pool)).find((one) => one.task === task.name)).toMatchObject({
      waiting: 0,
      delayed: 1,
    });
    await transaction('commit', (tx) => enqueue(tx, task, { n: 2 }, { key: 'one' }));
    await until(() => ran.length > 0);
    expect(ran).toEqual([2]);
    await until(async () => !(await queueDepth(pool)).some((one) => one.task === task.name));
  });

  it('is shared by several workers, and runs once', async () => {
    const task = newTask();
    const ran: number[] = [];
    const handler = handleTask(task, ({ n }) => Promise.resolve(void ran.push(n)));
    start([handler]);
    start([handler]);
    await transaction('commit', async (tx) => {
      for (let n = 0; n < 50; n += 1) await enqueue(tx, task, { n });
    });
    await until(() => ran.length >= 50);
    expect(ran.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('of a queue runs when those before it have ended, and holds no place before', async () => {
    const task = newTask();
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const begun: number[] = [];
    await transaction('commit', async (tx) => {
      for (const n of [1, 2, 3]) await enqueue(tx, task, { n }, { queue: 'of one owner' });
      await enqueue(tx, task, { n: 4 });
    });
    const run = async ({ n }: { n: number }) => {
      begun.push(n);
      if (n < 4) await gate;
    };
    start([handleTask(task, run)], 2);
    await until(() => begun.includes(4));
    expect(begun.toSorted()).toEqual([1, 4]);
    letGo();
    await until(() => begun.length === 4);
  });
});

describe('a worker', () => {
  it('that has nothing to do looks once for all of its places', async () => {
    const statements: string[] = [];
    const counted = openPool({ url: database.url, poolSize: 12 });
    counted.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [first] = args as [string | { text?: string }];
        statements.push(typeof first === 'string' ? first : (first.text ?? ''));
        return query(...args);
      }) as typeof client.query;
    });
    const handlers = [handleTask(newTask(), () => Promise.resolve())];
    const worker = new QueueWorker({ pool: counted, handlers, concurrency: 10 });
    worker.start();
    const looks = () => statements.filter((text) => text.includes('as due')).length;
    await until(() => looks() >= 1);
    statements.length = 0;
    await until(() => looks() >= 3);
    // Each of the ten places would have asked for a task three times.
    const asked = statements.filter((text) => /for update\s+skip locked|get_job/.test(text));
    expect(asked.length).toBeLessThanOrEqual(10);
    await worker.stop();
    await counted.end();
  });

  it('that stops finishes the tasks that it has begun', async () => {
    const task = newTask();
    const events: string[] = [];
    const worker = start([
      handleTask(task, async () => {
        events.push('begun');
        await new Promise((settle) => setTimeout(settle, 200));
        events.push('finished');
      }),
    ]);
    await transaction('commit', (tx) => enqueue(tx, task, { n: 1 }));
    await until(() => events.length > 0);
    await worker.stop();
    expect(events).toEqual(['begun', 'finished']);
  });

  it('that is killed loses nothing: another one takes over its task within seconds', async () => {
    const task = newTask();
    const program = fileURLToPath(new URL('hang.fixture.js', import.meta.url));
    const child = spawn(process.execPath, [program, database.url, task.name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await transaction('commit', (tx) => enqueue(tx, task, { n: 7 }));
    await once(child.stdout, 'data');
    const ran: number[] = [];
    start([handleTask(task, ({ n }) => Promise.resolve(void ran.push(n)))]);
    child.kill('SIGKILL');
    await until(() => ran.length > 0);
    expect(ran).toEqual([7]);
  });

  it('leaves the tasks of a worker that is alive alone', async () => {
    const task = newTask();
    let runs = 0;
    let end = (): void => undefined;
    const handler = handleTask(task, () => {
      runs += 1;
      return new Promise<void>((resolve) => (end = resolve));
    });
    start([handler]);
    await transaction('commit', (tx) => enqueue(tx, task, { n: 1 }));
    await until(() => runs > 0);
    await pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_at is not null`,
    );
    start([handler]);
    await new Promise((settle) => setTimeout(settle, 6_000)); // longer than between two sweeps
    expect(runs).toBe(1);
    end();
  });

  it('goes on when its connections to the database are lost', async () => {
    const task = newTask();
    const ran: number[] = [];
    const worker = start([handleTask(task, ({ n }) => Promise.resolve(void ran.push(n)))]);
    await transaction('commit', (tx) => enqueue(tx, task, { n: 1 }));
    await until(() => ran.length > 0);
    await until(() => isRunning(worker));
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await owner.end();
    await until(() => !isRunning(worker));
    await until(() => isRunning(worker));
    await transaction('commit', (tx) => enqueue(tx, task, { n: 2 }));
    await until(() => ran.length > 1);
    expect(ran).toEqual([1, 2]);
  });
});

function isRunning(worker: QueueWorker): boolean {
  try {
    worker.check();
    return true;
  } catch {
    return false;
  }
}

describe('the tables of the queue', () => {
  it('are those of the installed library', () => {
    const library = createRequire(import.meta.url).resolve('graphile-worker');
    const files = readdirSync(join(dirname(library), '../sql'));
    expect(files.length).toBe(queueRevision);
  });

  it('are made once', async () => {
    expect(await migrateQueue(database.url)).toEqual([]);
  });
});
