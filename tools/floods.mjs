// The floods of tools/bench-fairness.mjs. Each begins, goes on by itself, and returns a function that ends it.
import { setTimeout as sleep } from 'node:timers/promises';

const manyJobs = 50;
const manyCalls = 300;
const manyWebhooks = 200;

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
};
