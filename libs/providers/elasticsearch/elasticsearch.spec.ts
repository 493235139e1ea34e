import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { baseEvent, listFaults } from '#test/harness';
import { description, undescribed } from './description.fixture.js';
import { connectElasticsearch, wrong } from './elasticsearch.fixture.js';

const siem = connectElasticsearch('siem_elasticsearch');

beforeAll(() => loadValidators());
beforeEach(() => siem.reset());

it.each<[OperationId, Record<string, unknown>]>([
  ['siem_query_events', { index: 'logs-network_traffic.dns-default' }],
  ['siem_query_alerts', {}],
])('%s has each row once, and filters and orders as declared', async (id, config) => {
  const over = connectElasticsearch('siem_elasticsearch', { config });
  expect(await listFaults(over, id)).toEqual([]);
});

it('log providers are the data streams', async () => {
  const pages = await siem.pages('siem_query_log_providers', { limit: 5 });
  expect(pages.map(({ length }) => length)).toEqual([5, 3]);
  expect(pages.flat()).toContainEqual({
    name: 'logs-aws.cloudtrail-default',
    source: 'aws.cloudtrail',
  });
});

describe('credentials', () => {
  it('are API keys or tokens, and the shared secret goes beside them', async () => {
    const made = (secret: string) =>
      connectElasticsearch('siem_elasticsearch', {
        credential: () => ({ type: 'token', secret }),
      });
    const key = connectElasticsearch('siem_elasticsearch', {
      config: { auth_options: { run_as: 'analyst' } },
      credential: ({ secret }) => ({ type: 'token', secret }),
    });
    expect((await key.call('siem_query_log_providers')).status).toBe(200);
    expect(key.fake.log.requests[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(/^ApiKey /),
      'es-security-runas-user': 'analyst',
    });
    const jwt = made('aaaa.bbbb.cccc');
    const refused = await jwt.call('siem_query_log_providers');
    expect(refused.status).toBe(502);
    expect(jwt.fake.log.requests[0]?.headers['authorization']).toBe('Bearer aaaa.bbbb.cccc');
  });

  it('that may read but not write are reported by the verification', async () => {
    const options = { principal: 'reader' };
    const reader = connectElasticsearch('siem_elasticsearch', options);
    expect((await reader.verify()).status).toBe(200);
    const writer = connectElasticsearch('sink_elasticsearch', options);
    expect((await writer.verify()).body['message']).toMatch(/create_doc/);
  });
});

(description === undefined ? it.skip : it)(
  'searches, points in time and bulk requests are those that Elastic describes',
  async () => {
    const over = connectElasticsearch(
      'siem_elasticsearch',
      description === undefined ? {} : { description, undescribed },
    );
    await over.pages('siem_query_events', { limit: 400 });
    await over.call('siem_post_events', { body: [baseEvent('a'), wrong('b')] });
    await over.call('siem_query_alerts', { query: { limit: 1 } });
    expect(over.fake.log.requests).toHaveLength(7);
  },
);
