import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JsonLog, Metrics } from '#observe';
import { Receiver, type RunningFake, startFake } from '#test/harness';
import { startTelemetry } from '../../libs/observe/src/open-telemetry.js';
import { type Service, startService } from './service.js';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientSpan = '00f067aa0ba902b7';
const summary = 'A summary that no trace shows';

let service: Service;
let github: RunningFake;
let collector: Receiver;
beforeAll(async () => {
  [service, github, collector] = await Promise.all([
    startService(),
    startFake('github'),
    Receiver.start(),
  ]);
});
afterAll(async () => {
  await service.stop();
  await github.stop();
  await collector.stop();
});

/** Runs calls, and returns what a collector got of them. */
async function trace(work: () => Promise<void>): Promise<{ spans: SentSpan[]; text: string }> {
  const end = startTelemetry({
    name: 'spec',
    endpoint: collector.url,
    headers: {},
    sampleRatio: 1,
    followsCaller: true,
    metricsIntervalMs: 3_600_000,
    metrics: new Metrics('spec'),
    log: new JsonLog({ service: 'spec', level: 'error' }),
  });
  await work();
  await end();
  const bodies = collector.requests.filter(({ path }) => path === '/v1/traces');
  const spans = bodies.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
    };
    return resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans));
  });
  return { spans, text: bodies.map(({ body }) => body).join('\n') };
}

describe('a trace', () => {
  it('leads from the request through the bus to the provider and the database, without payloads', async () => {
    const { account } = (
      await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {})
    ).result;
    const secret = String(github.credentials.secret);
    const credential = { type: 'token', secret };
    const config = { type: 'ticketing_github', repository: 'alderpoint/desk', url: github.url };
    const { result } = await service.call<{ token: { access: { secret: string } } }>(
      'POST',
      `/v1/integrations/${account.id}`,
      { provider_config: { ...config, credential } },
    );
    const token = result.token.access.secret;
    const { spans, text } = await trace(async () => {
      const response = await fetch(`${service.url}/v1/ticketing/tickets`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          traceparent: `00-${traceId}-${clientSpan}-01`,
        },
        body: JSON.stringify({ name: summary, summary, description: summary }),
      });
      expect(response.status).toBe(200);
      await response.text();
    });

    const own = spans.filter((span) => span.traceId === traceId);
    const gateway = own.find(({ parentSpanId }) => parentSpanId === clientSpan);
    expect(gateway).toMatchObject({ name: 'ticketing_create_ticket', kind: 2 });
    const childrenOf = (parent: SentSpan | undefined) =>
      own.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);
    const connector = childrenOf(gateway).find(({ name }) => name === 'ticketing_create_ticket');
    expect(connector).toMatchObject({ kind: 2 });
    const [call] = childrenOf(connector).filter(({ name }) => name === 'POST GitHub Issues');
    expect(call?.kind).toBe(3);
    const facts = new Map(call?.attributes.map(({ key, value }) => [key, value]));
    expect(facts.get('http.request.method')).toEqual({ stringValue: 'POST' });
    expect(facts.get('server.address')).toEqual({ stringValue: '127.0.0.1' });
    expect(facts.get('http.response.status_code')).toEqual({ intValue: 201 });
    // The token is looked up by a call of management over the bus, and that in the database.
    const resolved = own.find(({ name }) => name === 'integrations.resolve');
    expect(childrenOf(resolved).map(({ name }) => name)).toContain('database write');

    for (const hidden of [secret, token, summary, 'alderpoint']) expect(text).not.toContain(hidden);
  });
});
