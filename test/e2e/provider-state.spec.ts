import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type RunningFake, startFake } from '#test/harness';
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
});
