import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);
const sentinel = {
  tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3',
  subscription_id: '6f0b1c52-0d3e-4a7b-9a55-1f2c8e7d4b60',
  resource_group: 'security',
  workspace_name: 'alderpoint-sentinel',
  workspace_id: '0b8e6a0c-5d0f-4d7e-8d3b-4d1c7a9e2f55',
};
const rule = {
  rule_id: 'dcr-00a1b2c3d4e5f60718293a4b5c6d7e8f',
  stream_name: 'Custom-Onefold',
};
const ingestion = 'https://onefold-a1b2.westeurope-1.ingest.monitor.azure.com';

function siem(more: Json = {}, principal = 'admin'): OverFake {
  return new OverFake(folder, 'siem_sentinel', {
    config: { ...sentinel, ...more },
    credential: ({ client }) => ({
      type: 'o_auth_client',
      client_id: client?.id,
      client_secret: client?.secret,
    }),
    principal,
  });
}

/** The sink, whose client id is in the configuration and whose secret is a token. */
function sink(more: Json = {}, secret?: string): OverFake {
  const { fake } = siem();
  const client = fake.credentials().find(({ principal }) => principal === 'admin')?.client;
  return new OverFake(folder, 'sink_azure_monitor_logs', {
    config: {
      tenant_id: sentinel.tenant_id,
      url: ingestion,
      client_id: client?.id,
      ...rule,
      ...more,
    },
    credential: () => ({ type: 'token', secret: secret ?? client?.secret }),
  });
}

const event = (uid: string, more: Json = {}): Json => ({
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  activity_id: 99,
  activity_name: 'test',
  type_uid: 99,
  severity_id: 1,
  time: 1795305600000,
  metadata: { version: '1.3.0', uid, product: { name: 'Scanner', vendor_name: 'Acme' } },
  ...more,
});

/** Requests that the fake got, without those for tokens. */
function requests(over: OverFake): { path: string; query: Json; body: string }[] {
  return over.fake.log.requests
    .filter(({ path }) => !path.endsWith('/token'))
    .map(({ path, query, body }) => ({ path, query: query, body }));
}

function scopes(over: OverFake): (string | null)[] {
  return over.fake.log.requests
    .filter(({ path }) => path.endsWith('/token'))
    .map(({ body }) => new URLSearchParams(body).get('scope'));
}

beforeAll(() => loadValidators());

describe('a token', () => {
  it('is fetched for each API by itself', async () => {
    const over = siem({ ingest_url: ingestion, ...rule });
    await over.call('siem_query_investigations', { query: { limit: 1 } });
    await over.call('siem_query_alerts', { query: { limit: 1 } });
    await over.call('siem_post_events', { body: [event('one')] });
    expect(scopes(over)).toEqual([
      'https://management.azure.com/.default',
      'https://api.loganalytics.io/.default',
      'https://monitor.azure.com/.default',
    ]);
  });
});

describe('the sink', () => {
  it('fetches one token with the client id of the configuration and the secret', async () => {
    const over = sink();
    for (const uid of ['one', 'two']) {
      const { status, body } = await over.call('sink_post_events', { body: [event(uid)] });
      expect([status, body['result']]).toEqual([
        200,
        [{ index: 0, uid, stored: true, status: 200 }],
      ]);
    }
    expect(scopes(over)).toEqual(['https://monitor.azure.com/.default']);
  });

  it('says what Entra says of a wrong secret', async () => {
    const { status, body } = await sink({}, 'wrong').verify();
    expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining('AADSTS7000215')]);
  });

  it('is verified without an event, and names a stream that the rule does not have', async () => {
    const over = sink();
    expect((await over.verify()).status).toBe(200);
    expect(requests(over).map(({ body }) => body)).toEqual(['[]']);
    const { status, body } = await sink({ stream_name: 'Custom-Other' }).verify();
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Custom-Other')]);
  });

  it('sends no more than a megabyte at once, and every event', async () => {
    const over = sink();
    const message = 'x'.repeat(300_000);
    const all = Array.from({ length: 7 }, (_, index) => event(`e${index}`, { message }));
    const { body } = await over.call('sink_post_events', { body: all });
    expect(body['result']).toHaveLength(7);
    // Three events of 300 kB have room in one request, and a fourth does not.
    expect(requests(over)).toHaveLength(3);
  });
});

describe('a query', () => {
  it('has values of callers between quotes', async () => {
    const over = siem();
    const filter = [
      'metadata.uid[in]a"b,c\\',
      'device.hostname[eq]"x"" | take 1"',
      'time[gte]2026-11-01T00:00:00Z',
    ];
    expect((await over.call('siem_query_events', { query: { filter } })).status).toBe(200);
    const { query } = JSON.parse(requests(over)[0]?.body ?? '{}') as { query: string };
    expect(query).toContain('| where _ItemId in~ ("a\\"b", "c\\\\")');
    expect(query).toContain('| where TimeGenerated >= datetime(2026-11-01T00:00:00.000Z)');
    expect(query).toContain('| where * has "x\\"\\" | take 1" | project');
  });

  it('goes on behind the time and id of the last row', async () => {
    const over = siem();
    const pages = await over.pages('siem_query_alerts', { limit: 15 });
    expect(pages.map((rows) => rows.length)).toEqual([15, 15, 10]);
    const { query } = JSON.parse(requests(over)[1]?.body ?? '{}') as { query: string };
    expect(query).toMatch(
      /where TimeGenerated < datetime\(.+\) or TimeGenerated == datetime\(.+\) and strcmp\(_ItemId, ".+"\) > 0/,
    );
  });
});

describe('an incident', () => {
  it('is replaced with its etag, so that of two who change it neither loses', async () => {
    const over = siem();
    const [incident] = await over.all('siem_query_investigations', {
      filter: 'custom_fields.number[eq]1208',
    });
    const id = incident?.['id'] as string;
    const patch = (path: string, value: string) =>
      over.call('siem_patch_investigation', {
        path: { id },
        body: [{ op: 'replace', path, value }],
      });
    const both = await Promise.all([
      patch('/custom_fields/severity', 'Low'),
      patch('/custom_fields/owner', 'noor.elamrani@alderpoint.example'),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await over.call('siem_get_investigation', { path: { id } });
    expect((body['result'] as Json)['custom_fields']).toMatchObject({
      severity: 'Low',
      owner: 'noor.elamrani@alderpoint.example',
      title: incident?.['custom_fields'].title as string,
    });
  });

  it('cannot be closed without what Sentinel needs for it, in its words', async () => {
    const over = siem();
    const [open] = await over.all('siem_query_investigations', {
      filter: 'custom_fields.status[eq]New',
    });
    const { status, body } = await over.call('siem_patch_investigation', {
      path: { id: open?.['id'] as string },
      body: [{ op: 'replace', path: '/custom_fields/status', value: 'Closed' }],
    });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('Classification is required'),
    ]);
  });
});

describe('a credential without a role', () => {
  it('is told its name by the verification', async () => {
    const { status, body } = await siem({}, 'reader').verify();
    expect([status, JSON.stringify(body)]).toEqual([
      502,
      expect.stringContaining('Log Analytics Reader'),
    ]);
  });
});
