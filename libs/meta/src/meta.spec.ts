import { describe, expect, it } from '@jest/globals';
import { matches, MetaCollector, MetaError, readMetaCalls } from './index.js';

function readError(text: string): MetaError {
  try {
    readMetaCalls([text]);
  } catch (error) {
    return error as MetaError;
  }
  throw new Error(`${text} was accepted`);
}

describe('meta function calls', () => {
  it('are parsed with and without arguments', () => {
    expect(
      readMetaCalls(['stats/count', 'mapping/chains()', 'request/poll_timeout( 30 )']),
    ).toEqual({
      counts: [[]],
      chains: [],
      pollSeconds: 30,
    });
  });

  it('accept lists of bare and quoted items', () => {
    expect(
      readMetaCalls([
        'api/response(all, [https://desk.example/*, "*a,b)"])',
        'stats/count([priority, entity.user.name])',
      ]),
    ).toEqual({
      responses: { primary: true, list: true, urls: ['https://desk.example/*', '*a,b)'] },
      counts: [['priority', 'entity.user.name']],
    });
  });

  it('are combined when one function is called more than once', () => {
    expect(
      readMetaCalls([
        'api/response(primary)',
        'api/response(list, [*x])',
        'request/poll_timeout(9)',
        'request/poll_timeout(3)',
        'stats/count',
        'stats/count([status])',
        'mapping/chains([a])',
        'mapping/chains([b])',
        'mapping/trace(2)',
        'mapping/trace',
      ]),
    ).toEqual({
      responses: { primary: true, list: true, urls: ['*x'] },
      pollSeconds: 3,
      counts: [[], ['status']],
      chains: ['a', 'b'],
      tracedRecords: 2,
    });
    expect(readMetaCalls(['mapping/chains([a])', 'mapping/chains']).chains).toEqual([]);
    expect(
      readMetaCalls(['api/response(list)', 'api/response(list, [*x])']).responses?.urls,
    ).toEqual([]);
  });

  it.each([
    ['', 1, 'the name of a meta function is expected here, not the end of the call'],
    ['stats/sum', 1, 'unknown meta function "stats/sum"'],
    ['stats/count([', 14, 'an argument is expected here, not the end of the call'],
    ['stats/count([priority)', 22, '"," or "]" is expected here, not ")"'],
    ['stats/count(priority)', 13, 'the argument must be a list'],
    ['stats/count([a b])', 16, '"," or "]" is expected here, not "b"'],
    ['stats/count([1x])', 14, '"1x" is not the name of a field'],
    ['stats/count([a]) x', 18, 'the end of the call is expected here, not "x"'],
    ['api/response', 13, 'an argument is missing: it must be primary, list or all'],
    ['api/response()', 14, 'an argument is missing: it must be primary, list or all'],
    ['api/response(some)', 14, 'the argument must be primary, list or all'],
    [
      'api/response(all, ["x])',
      24,
      'a closing quotation mark is expected here, not the end of the call',
    ],
    ['api/response(all, [], 1)', 23, 'api/response takes no further argument'],
    ['request/poll_timeout(-1)', 22, 'the argument must be a whole number of seconds'],
    ['mapping/trace(0)', 15, 'the argument must be a number of records from 1 to 10'],
    ['mapping/trace(11)', 15, 'the argument must be a number of records from 1 to 10'],
    ['mapping/trace([1])', 15, 'the argument must be a number of records from 1 to 10'],
    ['mapping/trace(1, 2)', 18, 'mapping/trace takes no further argument'],
    ['request/poll_timeout(1,)', 24, 'an argument is expected here, not ")"'],
  ])('%j is refused at character %i: %s', (call, character, problem) => {
    const error = readError(call);
    expect(error).toBeInstanceOf(MetaError);
    expect({ character: error.character, problem: error.message }).toEqual({
      character,
      problem: `${call || '(empty)'}: character ${character}: ${problem}`,
    });
    expect(error.remedy).not.toBe('');
  });

  it('are refused when they are too long or too many', () => {
    expect(readError(`stats/count([${'a'.repeat(3000)}])`).message).toContain('longer than 2048');
    expect(() => readMetaCalls(Array.from({ length: 11 }, () => 'stats/count'))).toThrow(
      'more than 10 counts',
    );
  });
});

describe('URL and operation patterns', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'xabc', false],
    ['*bc', 'abc', true],
    ['ab*', 'abc', true],
    ['*b*', 'abc', true],
    ['*', 'anything', true],
    ['*x*', 'abc', false],
    ['a.c', 'abc', false],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
});

describe('the meta object of a response', () => {
  it('counts all records, and by combinations of fields', () => {
    const meta = new MetaCollector(
      readMetaCalls(['stats/count', 'stats/count([status, user.name])']),
    );
    for (const record of [
      { status: 'open', user: { name: 'ann' } },
      { status: 'open', user: { name: 'ann' } },
      { status: 'done' },
    ])
      meta.count(record);
    expect(meta.render()).toEqual({
      stats: { count: { '*': 3, 'status:open,user.name:ann': 2, 'status:done,user.name:null': 1 } },
    });
  });

  it('returns a count of zero when there are no records', () => {
    const meta = new MetaCollector(readMetaCalls(['stats/count']));
    expect(meta.render()).toEqual({ stats: { count: { '*': 0 } } });
  });

  it('returns the primary response under both of its names, and all responses by URL', () => {
    const meta = new MetaCollector(readMetaCalls(['api/response(all, [*/tickets])']));
    meta.answered({ url: 'https://x/login', text: '{}', primary: false });
    meta.answered({ url: 'https://x/tickets', text: '[1]', primary: true });
    meta.answered({ url: 'https://x/tickets', text: '[2]', primary: false });
    expect(meta.render()).toEqual({
      api: {
        response: {
          primary: { url: 'https://x/tickets', endpoint: 'https://x/tickets', response: '[1]' },
          list: { 'https://x/tickets': ['[1]', '[2]'] },
        },
      },
    });
  });

  it('returns the mapping chains of the operations that match', () => {
    const meta = new MetaCollector(readMetaCalls(['mapping/chains([*_tickets])']));
    meta.applied('ticketing_query_tickets', ['default:0', 'mine:3']);
    meta.applied('ticketing_get_ticket', ['default:0']);
    expect(meta.render()).toEqual({
      mapping: { chains: { ticketing_query_tickets: ['default:0', 'mine:3'] } },
    });
  });

  it('has the ways of records through the mappings where they are traced', () => {
    const meta = new MetaCollector(readMetaCalls(['mapping/trace(1)', 'mapping/chains']));
    meta.applied('ticketing_get_ticket', ['default:0']);
    const way = { direction: 'response' as const, input: { key: 1 }, steps: [] };
    meta.traced('ticketing_get_ticket', [way]);
    expect(meta.render()).toEqual({
      mapping: {
        chains: { ticketing_get_ticket: ['default:0'] },
        trace: { ticketing_get_ticket: [way] },
      },
    });
  });

  it('is absent when no function produces output', () => {
    expect(new MetaCollector(readMetaCalls(['request/poll_timeout(0)'])).render()).toBeUndefined();
    expect(new MetaCollector(readMetaCalls([])).render()).toBeUndefined();
  });
});
