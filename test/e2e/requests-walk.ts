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
}
