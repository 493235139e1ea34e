import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type RunningFake, startFake } from '#test/harness';
import { type Onefold, startDistributed } from './onefold.js';

let onefold: Onefold;
let receiver: EventReceiver;
/** The sink of jobs that events of GitHub start. */
let changes: EventReceiver;
let github: RunningFake;
let ticketing: { id: string; token: string };
let sinkId: string;

beforeAll(async () => {
  [receiver, changes, github, onefold] = await Promise.all([
    EventReceiver.start(),
    EventReceiver.start(),
    startFake('github'),
    startDistributed({ JOB_PAGE_RECORDS: '1' }, { asUsers: true }),
  ]);
  const { account } = (await onefold.api.call('accounts_create', { body: {} })).result;
  const integrate = async (config: object, more: object = {}) => {
    const made = await onefold.api.call('integrations_create', {
      path: { accountId: account.id },
      body: { provider_config: config, ...more },
    });
    return { id: made.result.integration.id, token: made.result.token.access.secret };
  };
  ticketing = await integrate({ type: 'ticketing_mock_ticketing' });
  sinkId = (await integrate({ type: 'sink_http', url: `${receiver.url}/in` })).id;
  const to = await integrate({ type: 'sink_http', url: changes.url });
  const entry = {
    operation: 'ticketing_query_tickets',
    enabled: true,
    sink_integration_id: to.id,
    frequency: { type: 'event', value: 'TicketUpdated' },
    incremental_config: { mode: 'incremental' },
  };
  const desk = await integrate(github.configuration(), { scheduled_operations: [entry] });
  const client = onefold.api.as(desk.token);
  await client.call('integrationWebhooks_create_webhook', { body: { project: 'alderpoint/desk' } });
  const { id: ticketId } = (
    await client.call('ticketing_create_ticket', { body: { name: 'Lift', summary: 'Lift' } })
  ).result as { id: string };
  const patch = [{ op: 'replace', path: '/summary', value: 'Lift is stuck' }] as const;
  await client.call('ticketing_patch_ticket', { path: { ticketId }, body: patch as never });
});
afterAll(async () => {
  await onefold.stop();
  await receiver.stop();
  await changes.stop();
  await github.stop();
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${onefold.api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ticketing.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { result: T }).result;
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((settle) => setTimeout(settle, 50));
}

const create = async () => {
  const input = { sink_integration_id: sinkId };
  const body = { operation: 'ticketing_query_tickets', input };
  return (await ask<{ operation: { id: string } }>('POST', '/v1/operations', body)).operation.id;
};
const isComplete = async (id: string) =>
  (await ask<{ status: string }>('GET', `/v1/operations/${id}`)).status === 'COMPLETE';

/** The batches that the sink has taken: the id of each, and the tickets in it. */
const batches = () =>
  receiver.requests.map(({ headers, events }) => ({
    id: String(headers['idempotency-key']),
    tickets: (events as { id: string }[]).map(({ id }) => id),
  }));

describe('a worker that is killed in the middle of a job', () => {
  it('loses nothing, and repeats at most one batch each time, with the same id', async () => {
    const all = await ask<{ id: string }[]>('GET', '/v1/ticketing/tickets?limit=1000');
    const id = await create();
    const kills = 2;
    for (let kill = 1; kill <= kills; kill += 1) {
      await until(() => receiver.requests.length >= kill * 3);
      await onefold.processes['operations']?.stop('SIGKILL');
      const next = onefold.startAnother?.('operations');
      if (next === undefined) throw new Error('there is one process only');
      onefold.processes['operations'] = next;
    }
    await until(() => isComplete(id));
    const taken = new Map(batches().map(({ id: batch, tickets }) => [batch, tickets]));
    expect([...taken.values()].flat()).toEqual(all.map((ticket) => ticket.id));
    expect(receiver.requests.length - taken.size).toBeLessThanOrEqual(kills);
    for (const { id: batch, tickets } of batches()) expect(tickets).toEqual(taken.get(batch));
  });
});

describe('a page that is larger than a message of the bus', () => {
  it('goes through it in pieces', async () => {
    receiver.requests = [];
    const description = 'large '.repeat(130_000); // 780 kB; the bus sends 512 kB in one message
    const { id } = await ask<{ id: string }>('POST', '/v1/ticketing/tickets', {
      summary: 'large',
      creator: 'alice',
      name: 'large',
      description,
    });
    const job = await create();
    await until(() => isComplete(job));
    const events = receiver.requests.flatMap((request) => request.events) as {
      id: string;
      description?: string;
    }[];
    expect(events.find((one) => one.id === id)?.description).toBe(description);
  });
});

describe('a worker that is stopped', () => {
  it('finishes the page that it has begun, and another one goes on', async () => {
    receiver.requests = [];
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => (finish = resolve));
    receiver.fault = () => {
      finish();
      receiver.fault = () => undefined;
      return { status: 202, delayMs: 500 };
    };
    const id = await create();
    await begun;
    const stopped = await onefold.processes['operations']?.stop();
    expect(stopped).toEqual({ code: 0, signal: null });
    const next = onefold.startAnother?.('operations');
    if (next === undefined) throw new Error('there is one process only');
    onefold.processes['operations'] = next;
    await until(() => isComplete(id));
    const ids = batches().map((batch) => batch.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an event of a provider', () => {
  it('starts a job in another process than the one that takes in its message, which writes what changed', async () => {
    // The events came when the service started; workers were killed and stopped since.
    const summaries = () =>
      changes.requests.flatMap(({ events }) =>
        (events as { summary: string }[]).map(({ summary }) => summary),
      );
    await until(() => summaries().includes('Lift is stuck'));
    expect(github.violations()).toEqual([]);
  });
});
