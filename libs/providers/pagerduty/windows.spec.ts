import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { OverFake } from '#test/harness';

const list = 'ticketing_query_tickets';
const hourMs = 3_600_000;
const maxRows = 10_000;
const maxRangeMs = 184 * 24 * hourMs;
const count = 10_250;
const begin = Date.UTC(2025, 8, 1);

const timeOf = (number: number) =>
  `${new Date(begin + number * hourMs).toISOString().slice(0, 19)}Z`;
const incident = (number: number) => ({
  id: `Q${number}`,
  type: 'incident',
  incident_number: number,
  title: `incident ${number}`,
  status: 'resolved',
  urgency: 'high',
  created_at: timeOf(number),
  updated_at: timeOf(number),
  service: { id: 'PSERVICE', type: 'service_reference' },
  assignments: [],
});

/** An account with more incidents than PagerDuty gives of one list, an hour apart. */
function open(): OverFake {
  const respond = (status: number, body: object) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
  const before = ({ url }: { url: string }) => {
    const { searchParams: query } = new URL(url);
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const isAll = query.get('date_range') === 'all';
    const [since, until] = ['since', 'until'].map((name) => Date.parse(query.get(name) ?? ''));
    const [from, to] = isAll ? [-Infinity, Infinity] : [since ?? NaN, until ?? NaN];
    if (offset + limit > maxRows || (!isAll && !(to - from <= maxRangeMs)))
      return respond(400, { error: { message: 'Arguments Caused Error', errors: ['range'] } });
    const all = Array.from({ length: count }, (_, number) => number);
    const rows = all.filter((number) => {
      const at = begin + number * hourMs;
      return at >= from && at < to;
    });
    if (query.get('sort_by')?.includes('created_at:desc')) rows.reverse();
    const page = rows.slice(offset, offset + limit).map(incident);
    return respond(200, { incidents: page, limit, offset, more: offset + limit < rows.length });
  };
  const config = { url: 'https://api.pagerduty.com' };
  return new OverFake(new URL('./', import.meta.url), 'ticketing_pagerduty', { config, before });
}

beforeAll(() => loadValidators());

describe('incidents of an account with more than PagerDuty gives of one list', () => {
  it.each(['asc', 'desc'])('are read to the end, %s', async (direction) => {
    const all = await open().all(
      list,
      { order: `created_at[${direction}]` },
      {},
      { checked: false },
    );
    const ids = Array.from({ length: count }, (_, number) => `Q${number}`);
    expect(all.map(({ id }) => id as string)).toEqual(direction === 'asc' ? ids : ids.reverse());
  });

  it('are asked for by their time where a filter has one', async () => {
    const filter = [`created_at[gte]${timeOf(count - 101)}`];
    const found = await open().all(list, { filter }, {}, { checked: false });
    expect(found).toHaveLength(101);
  });
});
