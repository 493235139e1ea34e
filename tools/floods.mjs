// The floods of tools/bench-fairness.mjs. Each begins, goes on by itself, and returns a function that ends it.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const manyJobs = 50;
const manyCalls = 300;
const manyWebhooks = 200;
const manyWaiting = 100_000;

/** Jobs of one customer whose provider lies below a path. */
const jobsAt = (path) => async (given) => {
  const customer = await given.newCustomer(path);
  for (let n = 0; n < manyJobs; n += 1) await customer.startJob();
  return customer.end;
};

/** Short jobs, one after the other without a pause. */
async function shortJobs({ newCustomer }) {
  const customer = await newCustomer('/good/flood');
  let isOver = false;
  const running = Array.from({ length: 4 }, async () => {
    while (!isOver) await customer.startJob();
  });
  return async () => {
    isOver = true;
    await Promise.allSettled(running);
    await customer.end();
  };
}

/**
 * 10⁵ jobs of one customer that wait for their turn, and are run. One is created by the API; the database copies it, because the API takes minutes for so
 * many.
 */
async function waitingJobs({ newCustomer, databaseUrl }) {
  const customer = await newCustomer('/good/waiting');
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const [ofJob, ofRun] = [
    await columnsOf(database, 'operations'),
    await columnsOf(database, 'operation_runs'),
  ];
  for (let copied = 0; copied === 0;) {
    await Promise.all(Array.from({ length: 8 }, customer.startJob));
    const { rowCount } = await database.query(
      `with one as (
           select r.id, r.operation_id from operation_runs r join operations o on o.id = r.operation_id
           where o.account_id = $1 and r.page = 0 limit 1
         ), jobs as (
           insert into operations (id, ${ofJob}) select 'opr_copy_' || n, ${ofJob}
           from (select o.* from operations o join one on o.id = one.operation_id) job, generate_series(1, $2::int) n returning 1
         )
         insert into operation_runs (id, operation_id, ${ofRun}) select 'exe_copy_' || n, 'opr_copy_' || n, ${ofRun}
         from (select r.* from operation_runs r join one on r.id = one.id) run, generate_series(1, $2::int) n`,
      [customer.accountId, manyWaiting],
    );
    copied = rowCount ?? 0;
  }
  await database.query('analyze operation_runs; analyze operations');
  // They are the last that are measured: to delete them takes longer than all else.
  return async () => {
    const { rows } = await database.query(
      'select count(*)::int as waiting from operation_runs where account_id = $1 and admitted_at is null',
      [customer.accountId],
    );
    console.log(`${rows[0].waiting} jobs of the customer wait still`);
    await database.end();
  };
}

/** The columns of a table that a copy takes over: no ids, and not where a run is in the queue. */
async function columnsOf(database, table) {
  const { rows } = await database.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' and column_name not in ('id', 'operation_id', 'admitted_at', 'waiting_since')`,
    [table],
  );
  return rows[0].names;
}

/** Calls that the provider does not answer; each that ends is followed by another. */
async function hangingCalls({ newCustomer }) {
  const customer = await newCustomer('/hang');
  let isOver = false;
  const running = Array.from({ length: manyCalls }, async () => {
    while (!isOver) {
      await customer.list().catch(() => undefined);
      await sleep(100); // where calls to the host are paused
    }
  });
  void Promise.allSettled(running);
  return async () => {
    isOver = true;
    await customer.end();
  };
}

/** Webhooks whose receivers do not answer. */
async function deafWebhooks({ api, url }) {
  const made = [];
  for (let n = 0; n < manyWebhooks; n += 1) {
    const secret = { value: 'a secret of the bench' };
    const body = { filters: ['account_create'], url: `${url}/hang/${n}`, secret };
    made.push((await api.call('organizationWebhooks_create', { body })).result.id);
  }
  for (let n = 0; n < 20; n += 1) await api.call('accounts_create', { body: {} });
  return async () => {
    for (const webhookId of made)
      await api.call('organizationWebhooks_delete', { path: { webhookId } });
  };
}

/** Two integrations that send each message to both of them, and ten new messages a second. */
async function loopingHooks({ api, url, recordsDocument }) {
  const data = recordsDocument
    .replace('provider: ticketing_proof', 'provider: ticketing_loop')
    .replace(/ {2}id: this\.body\.message\n {2}signature: .*\n/, '')
    .replace('root.ticket_id = this.record', 'root.ticket_id = this.ticket_id');
  await api.call('customs_create', { body: { name: 'loop', data } });
  const { account } = (await api.call('accounts_create', { body: {} })).result;
  const made = [];
  for (let n = 0; n < 2; n += 1) {
    const body = { provider_config: { type: 'ticketing_loop', url } };
    const path = { accountId: account.id };
    made.push((await api.call('integrations_create', { path, body })).result);
  }
  const gateway = api.url.replace('//0.0.0.0:', '//127.0.0.1:'); // the address that it listens on
  const hooks = made.map(({ token }) => `${gateway}/v1/hooks?token=${token.access.secret}`);
  const items = hooks.map((webhook_url) => ({
    webhook_url,
    integrator_key: 'a key of the loop that is as long as keys must be',
  }));
  for (const { integration } of made)
    await api.call('integrations_patch', {
      path: { accountId: account.id, integrationId: integration.id },
      body: [{ op: 'add', path: '/webhook_config', value: { items } }],
    });
  const headers = { 'content-type': 'application/json' };
  let isOver = false;
  // A loop ends when its messages have grown beyond what the gateway takes, so new ones follow.
  const sending = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const body = JSON.stringify({ ticket_id: String(n) });
      const sent = await fetch(hooks[n % 2], { method: 'POST', headers, body });
      await sent.arrayBuffer();
      await sleep(100);
    }
  })();
  return async () => {
    isOver = true;
    await sending;
    await api.call('accounts_delete', { path: { accountId: account.id } });
  };
}

export const floods = {
  endless: jobsAt('/endless'),
  hang: jobsAt('/hang'),
  limited: jobsAt('/limited'),
  short: shortJobs,
  calls: hangingCalls,
  webhooks: deafWebhooks,
  loop: loopingHooks,
  waiting: waitingJobs,
};
