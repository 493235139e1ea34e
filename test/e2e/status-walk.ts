import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

/** Tests that the management API shows the calls of a connector. */
export function statusWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;

  it('counts what ran through it: requests, failures, bytes, calls of provider and database', async () => {
    const { accountId, integrationId, token } = await createMockIntegration(api(), 'walk-status');
    const path = { accountId, integrationId };
    expect((await api().call('status_get', { path })).result).toMatchObject({
      status: 'new',
      requests: 0,
    });
    const desk = api().as(token);
    const page = await desk.send('ticketing_query_tickets', { query: { limit: 2 } });
    const body = { name: 'counted', summary: 'counted' };
    const made = await desk.send('ticketing_create_ticket', { body });
    const missing = await desk.send('ticketing_get_ticket', { path: { ticketId: 'nowhere' } });
    expect([page.status, made.status, missing.status]).toEqual([200, 200, 404]);

    const { result: status } = await eventually(async () => {
      const read = await api().call('status_get', { path });
      expect(read.result.requests).toBe(3);
      return read;
    });
    const answered = [page, made, missing].map(({ text }) => Buffer.byteLength(text));
    expect(status).toMatchObject({
      status: 'healthy',
      failed: 1,
      api_ops: 2,
      in_bytes: Buffer.byteLength(JSON.stringify(body)),
      out_bytes: answered.reduce((sum, bytes) => sum + bytes),
    });
    expect(status.db_ops).toBeGreaterThanOrEqual(3);
    expect(status.cpu_time).toBeGreaterThan(0);
    const day = await api().call('status_get_integration_timeseries', { path });
    expect(day.result.series.at(-1)).toMatchObject({ succeeded: 2, failed: 1 });
    const events = await api().call('status_list_events', { path });
    expect(events.result.map((event) => event.status)).toEqual(['healthy']);
    const hour = await api().call('status_get_timeseries');
    expect(hour.result).toMatchObject({ interval: 'minute' });
    const listed = await api().call('status_list', {
      query: { filter: [`integration_id[eq]${integrationId}`], expand: ['all'] },
    });
    expect(listed.result).toMatchObject([{ requests: 3, integration: { id: integrationId } }]);
    await api().call('status_reset', { path });
    expect((await api().call('status_get', { path })).result).toMatchObject({
      status: 'new',
      requests: 0,
    });
  });

  it('is failing, with the reason, while a mapping fails on it', async () => {
    const { accountId, integrationId, token } = await createMockIntegration(api(), 'walk-failing');
    const path = { accountId, integrationId };
    const data =
      'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.id = this.nothing.uppercase()\n';
    await api().call('mappings_create', { body: { name: 'walk-broken', data } });
    const chain = {
      mappings: ['walk-broken'],
      operation_ids: ['ticketing_list_projects' as const],
    };
    const patch = [{ op: 'add' as const, path: '/mappings', value: [chain] }];
    await api().call('integrations_patch', { path, body: patch });
    const desk = api().as(token);
    await eventually(async () => {
      const { result, messages } = await desk.call('ticketing_list_projects');
      expect(result).toEqual([]);
      expect(messages?.problems?.[0]?.message).toContain('walk-broken');
    });
    await api().call('integrations_patch', {
      path,
      body: [{ op: 'remove', path: '/mappings' }],
    });
    await eventually(() => desk.call('ticketing_list_projects'));
    const events = await eventually(async () => {
      const { result } = await api().call('status_list_events', { path });
      expect(result.at(-1)?.status).toBe('healthy');
      expect(result.map(({ status }) => status)).toContain('failing');
      return result;
    });
    expect(events.find(({ status }) => status === 'failing')?.error).toContain('walk-broken');
  });
}
