import { describe, expect, it } from '@jest/globals';
import { elasticsearch } from './elasticsearch.js';
import { faultOf, idsOf, idsWhere, now, type TestRow } from './rows.fixture.js';

const day = 86_400_000;
const queries: [object, (row: TestRow) => boolean][] = [
  [{ match_all: {} }, () => true],
  [{ term: { name: 'Alpha' } }, (row) => row.name === 'Alpha'],
  [{ term: { 'name.keyword': { value: 'Alpha' } } }, (row) => row.name === 'Alpha'],
  [{ term: { on: true } }, (row) => row.on],
  [{ terms: { name: ['Alpha', 'beta'] } }, (row) => ['Alpha', 'beta'].includes(row.name ?? '')],
  [{ terms: { tags: ['beta'] } }, (row) => row.tags.includes('beta')],
  [
    { range: { size: { gte: 10, lt: 20 } } },
    (row) => row.size !== null && row.size >= 10 && row.size < 20,
  ],
  [{ range: { at: { gt: 'now-2d' } } }, (row) => Date.parse(row.at) > now - 2 * day],
  [
    { range: { at: { gte: 'now-2d/d', lte: 'now', format: 'strict_date' } } },
    (row) => Date.parse(row.at) >= now - (now % day) - 2 * day,
  ],
  [{ exists: { field: 'size' } }, (row) => row.size !== null],
  [{ prefix: { name: 'WS' } }, (row) => row.name?.startsWith('WS') ?? false],
  [
    { prefix: { name: { value: 'ws', case_insensitive: true } } },
    (row) => row.name?.startsWith('WS') ?? false,
  ],
  [{ wildcard: { name: '?lph*' } }, (row) => row.name === 'Alpha'],
  [{ match: { name: 'ALPHA ray' } }, (row) => ['Alpha', 'Gamma ray'].includes(row.name ?? '')],
  [{ match: { name: { query: 'ray gamma', operator: 'and' } } }, (row) => row.name === 'Gamma ray'],
  [{ match_phrase: { name: 'gamma ray' } }, (row) => row.name === 'Gamma ray'],
  [
    { multi_match: { query: 'beta', fields: ['name', 'tags'] } },
    (row) => row.name === 'beta' || row.tags.includes('beta'),
  ],
  [
    { query_string: { query: 'bern gamma' } },
    (row) =>
      row.owner.city === 'Bern' && (row.name === 'Gamma ray' || row.tags.includes('Gamma ray')),
  ],
  [
    {
      bool: {
        must: [{ term: { on: true } }],
        filter: { range: { size: { gt: 3 } } },
        must_not: [{ term: { name: 'beta' } }],
      },
    },
    (row) => row.on && (row.size ?? 0) > 3 && row.name !== 'beta',
  ],
  [
    { bool: { should: [{ term: { name: 'beta' } }, { term: { id: 3 } }] } },
    (row) => row.name === 'beta' || row.id === 3,
  ],
  [
    {
      bool: {
        should: [{ term: { on: true } }, { range: { id: { lt: 50 } } }],
        minimum_should_match: 2,
      },
    },
    (row) => row.on && row.id < 50,
  ],
  [{ bool: {} }, () => true],
];

describe('the query DSL of Elasticsearch', () => {
  it.each(queries.map(([query, condition]) => [JSON.stringify(query), query, condition] as const))(
    '%s leaves what filtering by hand leaves',
    (_title, query, condition) => {
      const ids = idsWhere(condition);
      expect(ids.length).toBeGreaterThan(0);
      expect(idsOf(elasticsearch, query)).toEqual(ids);
    },
  );

  it.each([
    [{ matches: {} }, 'unknown query [matches] at 0'],
    [
      { term: { a: 1 }, range: {} },
      '[term] malformed query, expected [END_OBJECT] but found [FIELD_NAME] at 0',
    ],
    [{ range: { size: { above: 1 } } }, '[range] query does not support [above] at 0'],
    [{ bool: { musst: [] } }, '[bool] query does not support [musst] at 0'],
    [{ terms: { name: 'a' } }, '[terms] query requires an array of terms at 0'],
    ['text', '[query] query malformed, no start_object after query name at 0'],
  ])('%j is refused in the words of Elasticsearch', (query, fault) => {
    expect(faultOf(elasticsearch, query)).toBe(fault);
  });
});
