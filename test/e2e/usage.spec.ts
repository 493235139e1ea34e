import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, until } from '#test/harness';
import { type Onefold, startDistributed } from './onefold.js';
import { startApp } from './processes.js';
import { createMockIntegration } from './records.js';

let onefold: Onefold;
beforeAll(async () => {
  onefold = await startDistributed({}, { worker: false });
});
afterAll(() => onefold.stop());

async function startConnector(): Promise<void> {
  const connector = startApp('connector', [], onefold.env);
  onefold.processes['connector'] = connector;
  await connector.says(/"message":"ready"/);
}

describe('what connectors have counted', () => {
  it('is exact when one is stopped under load and another one goes on', async () => {
    const { api, processes } = onefold;
    const made = await createMockIntegration(api, 'usage-stop');
    const desk = api.as(made.token);
    const first = processes['connector'];
    await startConnector(); // Both connectors serve calls now.
    let bytes = 0;
    let answered = 0;
    let isStopped = false;
    const caller = async () => {
      // Under load until the connector has ended, and behind that.
      for (let count = 0; count < 50 || !isStopped; count += 1) {
        const { status, text } = await desk.send('ticketing_query_tickets', {
          query: { limit: 1 },
        });
        expect(status).toBe(200);
        answered += 1;
        bytes += Buffer.byteLength(text);
      }
    };
    const callers = Promise.all(Array.from({ length: 10 }, caller));
    const stopped = until(() => answered >= 100)
      .then(() => first?.stop('SIGTERM'))
      .finally(() => (isStopped = true));
    const [end] = await Promise.all([stopped, callers]);
    expect(end).toEqual({ code: 0, signal: null });
    await processes['connector']?.stop('SIGTERM');
    const { result } = await api.call('status_get', { path: made });
    expect(result).toMatchObject({
      requests: answered,
      failed: 0,
      api_ops: answered,
      out_bytes: bytes,
    });
    const { result: billing } = await api.call('billing_list');
    expect(billing[0]?.csv_data).toContain(`${made.integrationId},usage-stop,`);
  });

  it('lacks no more than the last two seconds when one is killed', async () => {
    await startConnector();
    const { api, processes } = onefold;
    const made = await createMockIntegration(api, 'usage-kill');
    const desk = api.as(made.token);
    const call = () => desk.call('ticketing_query_tickets', { query: { limit: 1 } });
    await Promise.all(Array.from({ length: 40 }, call));
    await eventually(async () => {
      const { result } = await api.call('status_get', { path: made });
      expect(result.requests).toBe(40);
    });
    await Promise.all(Array.from({ length: 20 }, call));
    await processes['connector']?.stop('SIGKILL');
    const { result } = await api.call('status_get', { path: made });
    expect(result.requests).toBeGreaterThanOrEqual(40);
    expect(result.requests).toBeLessThanOrEqual(60);
  });
});
