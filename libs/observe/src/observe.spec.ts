import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { Health, JsonLog, Metrics, type ObserveServer, startObserveServer } from './index.js';

const noon = { now: () => Date.UTC(2026, 0, 1, 12) };

function capture(level?: 'debug' | 'info' | 'warn' | 'error') {
  const lines: string[] = [];
  const log = new JsonLog({
    service: 'gateway',
    clock: noon,
    write: (line) => lines.push(line),
    ...(level === undefined ? {} : { level }),
  });
  return { log, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('writes one JSON object per line with the fields of the message', () => {
    const { log, entries } = capture();
    log.warn(
      { message: 'provider refused the token', integration_id: 'int_1', status: 401 },
      'connect',
    );
    expect(entries()).toEqual([
      {
        time: '2026-01-01T12:00:00.000Z',
        level: 'warn',
        service: 'gateway',
        context: 'connect',
        message: 'provider refused the token',
        integration_id: 'int_1',
        status: 401,
      },
    ]);
  });

  it('works as the logger of Nest, with context and stack', () => {
    const { log, entries } = capture();
    Logger.overrideLogger(log);
    try {
      new Logger('bus').error('call failed', 'Error: the stack');
    } finally {
      Logger.overrideLogger(['log', 'warn', 'error', 'fatal']);
    }
    expect(entries()[0]).toMatchObject({
      level: 'error',
      context: 'bus',
      message: 'call failed',
      error: 'Error: the stack',
    });
  });

  it('writes the causes of an error, truncates long texts, and stays on one line', () => {
    const { log, entries } = capture();
    log.error(new Error('outer', { cause: new Error('inner\nsecond line') }));
    log.log({ message: 'x'.repeat(10_000) });
    expect(entries()[0]?.['error']).toMatch(/outer[^]*caused by Error: inner/);
    expect(entries()[1]?.['message']).toMatch(/^x{8192}… \(10000 characters\)$/);
  });

  it('omits lines below its level', () => {
    const { log, entries } = capture('warn');
    log.debug('debug');
    log.log('info');
    log.error('error');
    expect(entries().map(({ message }) => message)).toEqual(['error']);
  });
});

describe('health and metrics', () => {
  let server: ObserveServer | undefined;
  afterEach(() => server?.close());

  async function serve() {
    const parts = { health: new Health(), metrics: new Metrics('gateway') };
    server = await startObserveServer({ host: '127.0.0.1', port: 0, ...parts });
    const { url } = server;
    return { ...parts, get: (path: string) => fetch(`${url}${path}`) };
  }

  it('is alive but not ready while something it needs is unavailable, and names it', async () => {
    const { health, get } = await serve();
    let connected = false;
    health.add('bus', () => connected);
    health.add('database', async () => {
      if (!connected) throw new Error('connection refused');
    });
    expect((await get('/health/live')).status).toBe(200);
    const missing = await get('/health/ready');
    expect(missing.status).toBe(503);
    expect(await missing.json()).toEqual({
      ready: false,
      checks: { bus: 'not available', database: 'connection refused' },
    });
    connected = true;
    await eventually(async () => expect((await get('/health/ready')).status).toBe(200));
  });

  it('is no longer ready once it stops', async () => {
    const { health, get } = await serve();
    health.stop();
    const response = await get('/health/ready');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ready: false, checks: { process: 'stopping' } });
  });

  it('measures requests by operation and status', async () => {
    const { metrics, get } = await serve();
    const open = metrics.request('ticketing_query_tickets');
    metrics.request('accounts_list')(200);
    metrics.gauge('onefold_test', 'a test', () => 7);
    for (const held of [2, 3]) metrics.place('host_call', () => held);
    metrics.counterBy('onefold_test_total', 'a test', 'provider', 'kind').add('acme', 'sunset');
    const text = await (await get('/metrics')).text();
    open(200);
    expect(text).toContain('onefold_test_total{provider="acme",kind="sunset",service="gateway"} 1');
    expect(text).toContain(
      'onefold_request_duration_seconds_count{service="gateway",operation="accounts_list",status="200"} 1',
    );
    expect(text).toContain('onefold_requests_in_flight{service="gateway"} 1');
    expect(text).toContain('onefold_test{service="gateway"} 7');
    expect(text).toContain('onefold_places_held{place="host_call",service="gateway"} 5');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('responds to unknown paths and methods with the paths that exist', async () => {
    const { get } = await serve();
    expect(await (await get('/')).text()).toContain('/health/ready');
    const posted = await fetch(`${server?.url}/metrics`, { method: 'POST' });
    expect(posted.status).toBe(405);
  });
});
