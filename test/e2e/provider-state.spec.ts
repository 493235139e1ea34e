import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { askForFacts, eventually, type RunningFake, startFake } from '#test/harness';
import { fieldLimits } from '../../libs/connect/src/drift/known-fields.js';
import type { Client } from './client.js';
import { type Onefold, sharedOnefold } from './onefold.js';

describe('the status of an integration with a provider outside of Onefold', () => {
  let onefold: Pick<Onefold, 'api'>;
  let github: RunningFake;
  let tickets: Client;
  let path: { accountId: string; integrationId: string };

  beforeAll(async () => {
    [onefold, github] = await Promise.all([sharedOnefold(), startFake('github')]);
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name: 'provider-state' } }))
      .result;
    const config = {
      type: 'ticketing_github',
      repository: 'alderpoint/desk',
      url: github.url,
      credential: { type: 'token', secret: github.credentials.secret },
    };
    const { integration, token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: { name: 'desk', provider_config: config as never },
      })
    ).result;
    path = { accountId: account.id, integrationId: integration.id };
    tickets = api.as(token.access.secret);
  }, 300_000);
  afterAll(async () => {
    await github.stop();
  });

  beforeEach(() => github.engine.faults.clear());

  const read = () => tickets.send('ticketing_get_ticket', { path: { ticketId: '4136' } });
  const becomes = (state: string) =>
    eventually(async () => {
      const { result } = await onefold.api.call('status_get', { path });
      expect(result.status).toBe(state);
      return result;
    });
  /** Reads the counter of the process that all specs share. */
  const metric = async (kind: string): Promise<number> => {
    const { log = '' } = await askForFacts('standalone');
    const [, observe = ''] = /^Health and metrics: (\S+)$/m.exec(readFileSync(log, 'utf8')) ?? [];
    const text = await (await fetch(`${observe}/metrics`)).text();
    const labels = `provider="ticketing_github",kind="${kind}"`;
    const line = text.split('\n').find((one) => one.includes(labels));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const lastEvent = async () =>
    (await onefold.api.call('status_list_events', { path })).result.at(-1);

  it.each([
    ['refuses the credential', 401, 'credentials_refused', /refuses crd_/],
    ['does not permit the call', 403, 'permission_missing', /does not permit/],
    ['is not there', 503, 'unavailable', /not available/],
    ['fails', 500, 'failing', /answers 500/],
  ] as const)(
    'says that the provider %s, why, and that it is well again',
    async (_what, status, state, error) => {
      github.engine.faults.add({ kind: 'status', status, times: 10 });
      expect((await read()).status).not.toBe(200);
      await becomes(state);
      const event = await lastEvent();
      expect(event).toMatchObject({
        status: state,
        error: expect.stringMatching(error) as unknown,
      });
      expect(event?.error).not.toContain(String(github.credentials.secret));
      github.engine.faults.clear();
      expect((await read()).status).toBe(200);
      await becomes('healthy');
    },
  );

  it('counts every call of the provider, also those that were tried again', async () => {
    await becomes('healthy');
    await onefold.api.call('status_reset', { path });
    github.engine.log.clear();
    github.engine.faults.add({ kind: 'status', status: 503, times: 1 });
    expect((await read()).status).toBe(200);
    const { requests, failed, api_ops: calls } = await becomes('healthy');
    expect([requests, failed, calls]).toEqual([1, 0, github.engine.log.requests.length]);
    expect(calls).toBe(2);
  });

  it('shows that the provider ends an operation, and has a field that was not there before', async () => {
    const { learnedRecords, learnedPerResponse, sampleEvery } = fieldLimits;
    const list = async (limit: number) => {
      const { status } = await tickets.send('ticketing_query_tickets', { query: { limit } });
      expect(status).toBe(200);
    };
    for (let n = 0; n < learnedRecords / learnedPerResponse; n += 1) await list(learnedPerResponse);
    await onefold.api.call('status_reset', { path });
    const link =
      '<https://docs.github.com/issues?token=secret>; rel="deprecation", <https://docs.github.com/end>; rel="sunset"';
    const headers = { deprecation: '@1688169599', sunset: 'Sat, 31 Dec 2022 23:59:59 GMT', link };
    const alter = 'root = this.map_each(issue -> issue.assign({"sla": {"owner": "Payroll"}}))';
    github.engine.faults.add({ kind: 'drift', alter, headers, times: 10_000 });
    const before = await metric('new_field');
    const drift = await eventually(async () => {
      await list(sampleEvery); // Other specs may be looked at in its place.
      const { result } = await onefold.api.call('status_get', { path });
      expect(result.drift?.map(({ kind }) => kind).toSorted()).toEqual([
        'deprecation',
        'new_field',
        'sunset',
      ]);
      return result.drift ?? [];
    });
    const operation = 'ticketing_query_tickets';
    expect(drift).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'deprecation',
          operation,
          date: '2023-06-30T23:59:59.000Z',
          link: 'https://docs.github.com/issues',
        }),
        expect.objectContaining({
          kind: 'sunset',
          operation,
          date: '2022-12-31T23:59:59.000Z',
          link: 'https://docs.github.com/end',
        }),
        expect.objectContaining({ kind: 'new_field', operation, path: 'sla.owner' }),
      ]),
    );
    expect(JSON.stringify(drift)).not.toMatch(/Payroll|token/);
    expect(await metric('new_field')).toBeGreaterThan(before);
    expect(await metric('sunset')).toBeGreaterThan(0);
  });
});
