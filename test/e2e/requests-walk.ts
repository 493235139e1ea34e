import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

/** Tests that the management API shows the calls that connectors have logged. */
export function requestsWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;

  it('finds a failed call by the id that its answer names, and the last ones that succeeded', async () => {
    const { accountId, integrationId, token } = await createMockIntegration(api(), 'walk-requests');
    const desk = api().as(token);
    const page = await desk.send('ticketing_query_tickets', { query: { limit: 2 } });
    const missing = await desk.send<{ instance: string; message: string }>('ticketing_get_ticket', {
      path: { ticketId: 'nowhere' },
    });
    expect([page.status, missing.status]).toEqual([200, 404]);
    const requestId = missing.headers.get('x-request-id') ?? '';
    expect(missing.body.instance).toBe(`/requests/${requestId}`);
    const path = { requestId };
    const { result: record } = await eventually(() => api().call('requests_get', { path }));
    expect(record).toMatchObject({
      request_id: requestId,
      account_id: accountId,
      integration_id: integrationId,
      operation: 'ticketing_get_ticket',
      provider: 'ticketing_mock_ticketing',
      status: 404,
      out_bytes: Buffer.byteLength(missing.text),
      problem: { message: missing.body.message },
    });
    const query = { filter: [`integration_id[eq]${integrationId}`] };
    const { result } = await api().call('requests_list', { query });
    expect(result.map(({ status, request_id: id }) => [status, id])).toEqual([
      [404, requestId],
      [200, page.headers.get('x-request-id')],
    ]);
  });

  it('records bodies where that is switched on, and replays a call through another mapping', async () => {
    const { account } = (await api().call('accounts_create', { body: { name: 'walk-bodies' } }))
      .result;
    const { integration, token } = (
      await api().call('integrations_create', {
        path: { accountId: account.id },
        body: { provider_config: { type: 'ticketing_jira_mock' } as never },
      })
    ).result;
    const path = { accountId: account.id, integrationId: integration.id };
    await api().call('requests_record_bodies', { path, body: { hours: 1 } });
    const page = await api()
      .as(token.access.secret)
      .send<{ result: { id: string }[] }>('ticketing_query_tickets', { query: { limit: 2 } });
    expect(page.status).toBe(200);
    const requestId = page.headers.get('x-request-id') ?? '';
    const bodies = await eventually(async () => {
      const { result } = await api().call('requests_get', { path: { requestId } });
      expect(result.bodies).toBeDefined();
      return result.bodies;
    });
    expect(bodies?.response?.text).toBe(page.text);
    expect(bodies?.exchanges[0]?.response?.text).toContain('"issues"');
    const body = {
      mappings: ['default:0', 'draft'],
      documents: {
        draft:
          'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    root = this\n    root.name = "draft"\n',
      },
    };
    const { result } = await api().call('requests_replay', { path: { requestId }, body });
    expect(result.stored.body).toMatchObject({ result: page.body.result });
    expect(result.difference).toEqual(
      page.body.result.map((_, index) => ({
        op: 'replace',
        path: `/body/result/${index}/name`,
        value: 'draft',
      })),
    );
    await api().call('requests_stop_recording', { path });
    const { result: after } = await api().call('requests_get', { path: { requestId } });
    expect(after.bodies).toBeUndefined();
  });
}
