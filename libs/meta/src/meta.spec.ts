import { describe, expect, it } from '@jest/globals';
import { matches, MetaCollector, MetaError, readMetaCalls } from './index.js';

function errorOf(text: string): MetaError {
  try {
    readMetaCalls([text]);
  } catch (error) {
    return error as MetaError;
  }
  throw new Error(`${text} was let through`);
}

describe('meta function calls', () => {
  it('are read with and without arguments', () => {
    expect(
      readMetaCalls(['stats/count', 'mapping/chains()', 'request/poll_timeout( 30 )']),
    ).toEqual({
      counts: [[]],
      chains: [],
      pollSeconds: 30,
    });
  });

  it('take lists of bare and quoted items', () => {
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

  it('add up when one function is called more than once', () => {
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
      ]),
    ).toEqual({
      responses: { primary: true, list: true, urls: ['*x'] },
      pollSeconds: 3,
      counts: [[], ['status']],
      chains: ['a', 'b'],
    });
    expect(readMetaCalls(['mapping/chains([a])', 'mapping/chains']).chains).toEqual([]);
    expect(
      readMetaCalls(['api/response(list)', 'api/response(list, [*x])']).responses?.urls,
    ).toEqual([]);
  });

  it.each([
    ['', 1, 'the name of a meta function belongs here, and the call ends'],
    ['stats/sum', 1, 'there is no meta function "stats/sum"'],
    ['stats/count([', 14, 'an argument belongs here, and the call ends'],
    ['stats/count([priority)', 22, '"," or "]" belongs here, and there is ")"'],
    ['stats/count(priority)', 13, 'a list belongs here'],
    ['stats/count([a b])', 16, '"," or "]" belongs here, and there is "b"'],
    ['stats/count([1x])', 14, '"1x" is not the name of a field'],
    ['stats/count([a]) x', 18, 'nothing belongs behind the call, and there is "x"'],
    ['api/response', 13, 'primary, list or all belongs here'],
    ['api/response()', 14, 'primary, list or all belongs here'],
    ['api/response(some)', 14, 'primary, list or all belongs here'],
    ['api/response(all, ["x])', 24, 'the quoted text has no end, and the call ends'],
    ['api/response(all, [], 1)', 23, 'api/response takes no further argument'],
    ['request/poll_timeout(-1)', 22, 'a whole number of seconds belongs here'],
    ['request/poll_timeout(1,)', 24, 'an argument belongs here, and there is ")"'],
  ])('%j is refused at character %i: %s', (call, character, problem) => {
    const error = errorOf(call);
    expect(error).toBeInstanceOf(MetaError);
    expect({ character: error.character, problem: error.message }).toEqual({
      character,
      problem: `${call || '(empty)'}: character ${character}: ${problem}`,
    });
    expect(error.remedy).not.toBe('');
  });

  it('are refused when they are too long or too many', () => {
    expect(errorOf(`stats/count([${'a'.repeat(3000)}])`).message).toContain('longer than 2048');
    expect(() => readMetaCalls(Array.from({ length: 11 }, () => 'stats/count'))).toThrow(
      'more than 10 counts',
    );
  });
});

describe('patterns', () => {
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

describe('the meta of an answer', () => {
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

  it('counts nothing as nothing', () => {
    const meta = new MetaCollector(readMetaCalls(['stats/count']));
    expect(meta.render()).toEqual({ stats: { count: { '*': 0 } } });
  });

  it('has the answer that populates the data under both of its names, and all answers by address', () => {
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

  it('names the chains whose operation fits', () => {
    const meta = new MetaCollector(readMetaCalls(['mapping/chains([*_tickets])']));
    meta.applied('ticketing_query_tickets', ['default:0', 'mine:3']);
    meta.applied('ticketing_get_ticket', ['default:0']);
    expect(meta.render()).toEqual({
      mapping: { chains: { ticketing_query_tickets: ['default:0', 'mine:3'] } },
    });
  });

  it('is absent when no function makes output', () => {
    expect(new MetaCollector(readMetaCalls(['request/poll_timeout(0)'])).render()).toBeUndefined();
    expect(new MetaCollector(readMetaCalls([])).render()).toBeUndefined();
  });
});
