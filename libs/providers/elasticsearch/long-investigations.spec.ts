import { beforeAll, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { connectElasticsearch } from './elasticsearch.fixture.js';

beforeAll(() => loadValidators());

const maxWindow = 10_000;
const begin = Date.parse('2026-01-01T00:00:00Z');
/** Three cases in each tenth of a second, more than one window has. */
const cases = Array.from({ length: maxWindow + 250 }, (_one, index) => ({
  id: `case-${index}`,
  title: `Case ${index}`,
  status: 'open',
  severity: 'low',
  created_at: new Date(begin + 100 * Math.floor(index / 3)).toISOString(),
}));
let refused = 0;

/** Kibana's list of cases, which refuses pages beyond 10,000. */
function findCases(url: URL): { status: number; body: object } {
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const [page, perPage] = [Number(parameter('page')), Number(parameter('perPage'))];
  if (page * perPage > maxWindow) {
    refused += 1;
    return { status: 400, body: { message: 'The number of documents is too high.' } };
  }
  const sign = parameter('sortOrder') === 'asc' ? 1 : -1;
  const found = cases
    .filter(({ created_at: at }) => parameter('from') === '' || at >= parameter('from'))
    .filter(({ created_at: at }) => parameter('to') === '' || at <= parameter('to'))
    .sort((a, b) => sign * a.created_at.localeCompare(b.created_at));
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return { status: 200, body: { cases: shown, page, per_page: perPage, total: found.length } };
}

const siem = connectElasticsearch('siem_elasticsearch', {
  pageSize: 500,
  before: ({ url }) => {
    const asked = new URL(url);
    if (asked.pathname !== '/api/cases/_find') return undefined;
    const { status, body } = findCases(asked);
    const headers = { 'content-type': 'application/json' };
    return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  },
});

it.each(['asc', 'desc'])(
  'more cases than Kibana pages through are each there once, in order of creation %s',
  async (direction) => {
    refused = 0;
    const order = `custom_fields.created_at[${direction}]`;
    const found = await siem.all('siem_query_investigations', { order });
    const ids = found.map(({ id }) => id as string);
    expect([ids.length, new Set(ids).size, refused]).toEqual([cases.length, cases.length, 0]);
    const times = found.map(({ custom_fields }) => custom_fields.created_at as string);
    const sorted = times.toSorted();
    expect(times).toEqual(direction === 'asc' ? sorted : sorted.reverse());
  },
);
