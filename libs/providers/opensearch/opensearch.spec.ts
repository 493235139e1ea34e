import { beforeAll, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { OverFake } from '#test/harness';

const configs = {
  siem_opensearch: { url: 'https://opensearch.example:9200' },
  sink_opensearch: { url: 'https://opensearch.example:9200', create_index: 'logs-onefold' },
};

const open = (type: keyof typeof configs, principal = 'admin') =>
  new OverFake(new URL('./', import.meta.url), type, {
    config: configs[type],
    credential: ({ basic }) => ({
      type: 'basic',
      username: basic?.username,
      secret: basic?.password,
    }),
    principal,
  });

beforeAll(() => loadValidators());

it.each([
  ['siem_opensearch' as const, 'admin'],
  ['siem_opensearch' as const, 'reader'],
  ['sink_opensearch' as const, 'admin'],
])('%s is verified as %s, and nothing is stored', async (type, principal) => {
  const over = open(type, principal);
  expect((await over.verify()).status).toBe(200);
  expect(over.changes).toEqual([]);
});

it.each([
  [
    'siem_opensearch' as const,
    'searcher',
    'cluster:admin/opensearch/securityanalytics/findings/get',
  ],
  ['sink_opensearch' as const, 'reader', 'indices:data/write/index'],
])('%s names the permission that %s lacks', async (type, principal, permission) => {
  const { status, body } = await open(type, principal).verify();
  expect(status).not.toBe(200);
  expect(JSON.stringify(body)).toContain(`no permissions for [${permission}]`);
});

it('asks OpenSearch for the findings of a time, and for those with an id', async () => {
  const siem = open('siem_opensearch');
  const [first, second] = await siem.all('siem_query_alerts', { order: 'time[desc]' });
  const from = new Date((second as { time: number }).time).toISOString();
  siem.fake.log.clear();
  const { body } = await siem.call('siem_query_alerts', {
    query: { filter: `time[gte]${from}`, limit: 5 },
  });
  expect((body['result'] as unknown[]).length).toBe(2);
  const [request] = siem.fake.log.requests;
  expect(request?.query).toMatchObject({ startTime: expect.anything() });
  expect(Number(request?.query['startTime'])).toBe(Date.parse(from));
  const { uid } = (first as { finding_info: { uid: string } }).finding_info;
  const one = await siem.call('siem_get_alert', { path: { id: uid } });
  expect(one.body['result']).toMatchObject({
    class_name: 'Detection Finding',
    finding_info: { uid },
  });
});

it('closes the point in time of a list that was read to its end', async () => {
  const siem = open('siem_opensearch');
  await siem.all('siem_query_events');
  const paths = siem.fake.log.requests.map(({ method, path }) => `${method} ${path}`);
  expect(paths[0]).toBe('POST /logs-*/_search/point_in_time');
  expect(paths.at(-1)).toBe('DELETE /_search/point_in_time');
});
