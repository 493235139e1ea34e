import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { ApiError } from '#contract';
import { createMigratedDatabase, eventually, type TestDatabase } from '#test/harness';
import { connectDatabase, openPool, Store, wholeOrganization } from './index.js';

const scope = wholeOrganization('org_a');
let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: database.url }));
  await owner(`
    insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
      values ('org_a', 'a', 'a', 'root', 'tok', now(), now())`);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

async function owner(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('set default_transaction_read_only = off');
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Takes a connection and ends it from the database. @returns what its pool answers afterwards */
async function endTaken(pool: pg.Pool): Promise<unknown> {
  const taken = await pool.connect();
  const { rows } = await taken.query<{ pid: number }>('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => taken.once('end', resolve)); // `once` of Node would listen to errors
  await owner(`select pg_terminate_backend(${rows[0]?.pid})`);
  await ended;
  taken.release();
  return (await pool.query('select 1 as one')).rows;
}

/** Passes bytes to a database until it is stopped, which breaks every connection, and again once it is started. */
async function startProxy(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let server: Server;
  const start = async (at = 0): Promise<number> => {
    server = createServer((client) => {
      const there = connect(Number(port), hostname);
      for (const [from, to] of [
        [client, there],
        [there, client],
      ] as const) {
        open.add(from);
        from.on('error', () => undefined).on('close', () => to.destroy());
        from.pipe(to);
      }
    }).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const url = new URL(target);
  const fixed = await start();
  url.port = String(fixed);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    start: () => start(fixed),
    stop: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** The status, message and Retry-After that a caller gets of work that fails. */
async function failure(work: Promise<unknown>): Promise<[number, string, string | undefined]> {
  const error: unknown = await work.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  return [error.status, error.message, error.options.headers?.['retry-after']];
}

const raise = (code: string) =>
  store.write(scope, (tx) =>
    tx.query(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`),
  );

describe('a database that cannot do its work at the moment', () => {
  it.each([
    ['53100', 'the disk of the database is full', '30'],
    ['58030', 'the disk of the database fails', '30'],
    ['53200', 'the database is out of memory', '10'],
    ['53300', 'the database has no free connection', '2'],
    ['53400', 'the database is at the limit of its configuration', '10'],
    ['57P03', 'the database is restarting', '2'],
    ['57014', 'the database took too long', '5'],
    ['40P01', 'another change of the same records got in the way', '1'],
  ])('is a 503 that names the cause of SQLSTATE %s', async (code, message, seconds) => {
    expect(await failure(raise(code))).toEqual([503, message, seconds]);
    await store.checkReady(); // there is room, whatever was raised
  });

  it('leaves other errors to those who know them', async () => {
    await expect(raise('22012')).rejects.toMatchObject({ driverError: { code: '22012' } });
  });

  it('is a 503 where it is read-only, for changes alone, and readiness says so until it is not', async () => {
    await owner(`alter database ${database.name} set default_transaction_read_only = on`);
    const second = new Store(await connectDatabase({ url: database.url }));
    const change = () =>
      second.write(scope, (tx) => tx.query("update organizations set fullname = 'b'"));
    const message = 'the database is read-only and accepts no changes';
    try {
      await second.read(scope, (tx) => tx.organization());
      await second.checkReady(); // nobody has tried a change yet
      expect(await failure(change())).toEqual([503, message, '10']);
      expect(await failure(second.checkReady())).toEqual([503, message, '10']);
    } finally {
      await owner(
        `alter database ${database.name} set default_transaction_read_only = off`,
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await eventually(() => second.checkReady());
    await change();
    await second.close();
  });

  it('is a 503 while it is away, for reads and changes alike, and works again afterwards', async () => {
    const proxy = await startProxy(database.url);
    const far = new Store(await connectDatabase({ url: proxy.url }));
    try {
      await far.checkReady();
      await proxy.stop();
      for (const work of [
        () => far.read(scope, (tx) => tx.organization()),
        () => far.select(scope, 'select 1 as one', []),
        () => far.organizationOf('a'),
        () => far.checkReady(),
      ])
        expect(await failure(work())).toEqual([503, 'the database cannot be reached', '2']);
      await proxy.start();
      await far.checkReady();
    } finally {
      await far.close();
      await proxy.stop();
    }
  });

  it('says of a change that it may be stored, where the connection broke as it was committed', async () => {
    await owner(
      `create function break_off() returns trigger language plpgsql security definer as
         $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`,
      `create constraint trigger break_off after update on organizations
         deferrable initially deferred for each row execute function break_off()`,
    );
    const change = store.write(scope, (tx) =>
      tx.query("update organizations set fullname = 'c' where id = 'org_a'"),
    );
    const [status, message] = await failure(change);
    expect([status, message]).toEqual([
      503,
      'the database is restarting, and the change may be stored or not',
    ]);
    await owner('drop trigger break_off on organizations');
  });
});

// An error of a connection that nobody listens to would end the process, and this worker with it.
describe('a connection that is lost while it is taken', () => {
  it('fails its statements alone, in the pool of the queue', async () => {
    const pool = openPool({ url: database.url });
    try {
      expect(await endTaken(pool)).toEqual([{ one: 1 }]);
    } finally {
      await pool.end();
    }
  });

  it('fails its statements alone, in the pool of the store', async () => {
    const connected = await connectDatabase({ url: database.url });
    try {
      const { master } = connected.driver as unknown as { master: pg.Pool };
      expect(await endTaken(master)).toEqual([{ one: 1 }]);
    } finally {
      await connected.destroy();
    }
  });
});
