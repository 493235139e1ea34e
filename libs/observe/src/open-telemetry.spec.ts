import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '#secrets';
import { JsonLog } from './json-log.js';
import { Metrics } from './metrics.js';
import { headersOf, startTelemetry, type TelemetryOptions } from './open-telemetry.js';
import { currentTraceparent, inSpan } from './spans.js';

interface Sent {
  path: string;
  authorization: string | undefined;
  body: { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: object }[];
}

/** A collector that keeps what it gets. */
const sent: Sent[] = [];
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Sent['body'];
    const { authorization } = request.headers;
    sent.push({ path: request.url ?? '', authorization, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

beforeEach(async () => {
  sent.length = 0;
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

const start = (options: Partial<TelemetryOptions> = {}) =>
  startTelemetry({
    name: 'gateway',
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    headers: headersOf(new Secret('authorization=Bearer%20abc')),
    sampleRatio: 1,
    followsCaller: true,
    metricsIntervalMs: 60_000,
    metrics: new Metrics('gateway'),
    log: new JsonLog({ service: 'gateway', level: 'error' }),
    ...options,
  });

const spans = () =>
  sent
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => body.resourceSpans.flatMap((one) => one.scopeSpans))
    .flatMap((one) => one.spans);

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = `00-${traceId}-b7ad6b7169203331-01`;

describe('telemetry', () => {
  it('sends spans with their parents, facts and failures, and the metrics', async () => {
    const end = start();
    const inner = () =>
      inSpan('inner', { kind: 'client', facts: () => ({ 'server.address': 'jira' }) }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return currentTraceparent();
      });
    const outer = await inSpan('outer', { kind: 'server', parent }, async (span) => {
      span.set({ 'http.response.status_code': 503 });
      span.fail();
      return { inner: await inner(), own: currentTraceparent() };
    });
    const failed = inSpan('failed', { kind: 'consumer' }, () => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    await end();

    const [first, second, third] = spans();
    expect(first).toMatchObject({ name: 'inner', traceId, kind: 3 });
    expect(second).toMatchObject({ name: 'outer', traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(second).toMatchObject({ kind: 2, status: { code: 2 } });
    expect(first?.parentSpanId).toBe(second?.spanId);
    expect(outer.own).toBe(`00-${traceId}-${second?.spanId}-01`);
    expect(outer.inner).toBe(`00-${traceId}-${first?.spanId}-01`);
    expect(first?.attributes).toEqual([{ key: 'server.address', value: { stringValue: 'jira' } }]);
    expect(third).toMatchObject({ name: 'failed', kind: 5, status: { code: 2 } });
    expect(third?.traceId).not.toBe(traceId);
    expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer abc']),
    );
    expect(sent.map(({ path }) => path)).toContain('/v1/metrics');
    expect(JSON.stringify(sent)).toContain('"onefold_requests_in_flight"');
    expect(JSON.stringify(sent)).toContain('onefold-gateway');
  });

  it('follows a caller that does not record its trace, unless told otherwise', async () => {
    const unrecorded = parent.replace(/01$/, '00');
    let end = start();
    await inSpan('followed', { kind: 'server', parent: unrecorded }, async () => undefined);
    await end();
    expect(spans()).toEqual([]);
    end = start({ followsCaller: false });
    await inSpan('own', { kind: 'server', parent: unrecorded }, async () => undefined);
    await end();
    expect(spans().map(({ name }) => name)).toEqual(['own']);
  });

  it('records no trace at a ratio of 0', async () => {
    const end = start({ sampleRatio: 0 });
    await inSpan('none', { kind: 'server' }, async () => undefined);
    await end();
    expect(spans()).toEqual([]);
  });

  it('does nothing once it has ended, and work goes on', async () => {
    await start()();
    expect(await inSpan('work', { kind: 'server' }, async () => 42)).toBe(42);
    expect(currentTraceparent()).toBeUndefined();
    expect(spans()).toEqual([]);
  });

  it.each(['no pair', 'name=%E0%A4%A', '=value'])('refuses the headers %s', (headers) => {
    expect(() => headersOf(new Secret(headers))).toThrow('OTEL_EXPORTER_OTLP_HEADERS');
  });
});
