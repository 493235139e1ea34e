import { describe, expect, it } from '@jest/globals';
import { readNoticeHeaders, readWarningCodes } from './response-notices.js';

describe('headers of a response', () => {
  it('say since when it is deprecated, when it ends, and where to read about it', () => {
    const link =
      '</next>; rel="next", <https://docs.example.com/old?tenant=7#top>; rel="deprecation", <https://docs.example.com/end>; rel=sunset';
    const deprecation = '@1688169599';
    const sunset = 'Sat, 31 Dec 2022 23:59:59 GMT';
    expect(readNoticeHeaders({ deprecation, sunset, link })).toEqual([
      {
        kind: 'deprecation',
        date: '2023-06-30T23:59:59.000Z',
        link: 'https://docs.example.com/old',
      },
      { kind: 'sunset', date: '2022-12-31T23:59:59.000Z', link: 'https://docs.example.com/end' },
    ]);
  });

  it.each([
    ['true', [{ kind: 'deprecation' }]],
    ['Sun, 11 Nov 2018 23:59:59 GMT', [{ kind: 'deprecation', date: '2018-11-11T23:59:59.000Z' }]],
    ['@99999999999999999', [{ kind: 'deprecation' }]],
    ['false', []],
    ['?0', []],
  ])('are read as drafts of the standard have them: %s', (deprecation, expected) => {
    expect(readNoticeHeaders({ deprecation })).toEqual(expected);
  });

  it('name no page that is not on the web', () => {
    const link = '<javascript:alert(1)>; rel="sunset", </own>; rel="sunset", <<<';
    expect(readNoticeHeaders({ sunset: 'soon', link })).toEqual([{ kind: 'sunset' }]);
  });

  it('have warnings of the vendor, without their words, and not those of caches', () => {
    const warning =
      '110 cache "is stale", 299 Elasticsearch-8.1 "index [acme-payroll] is old", 199 - "x"';
    expect(readNoticeHeaders({ warning })).toEqual([
      { kind: 'warning', code: '299' },
      { kind: 'warning', code: '199' },
    ]);
  });

  it('have nothing to say in most responses', () => {
    expect(readNoticeHeaders({ 'content-type': 'application/json', link: '<x>' })).toEqual([]);
  });
});

describe('warnings that an expression of the document finds', () => {
  it('are named by their codes, and only counted where they are words', () => {
    expect(readWarningCodes(['missing_charset', 'the channel Payroll is archived'])).toEqual([
      { kind: 'warning', code: 'missing_charset' },
      { kind: 'warning' },
    ]);
    expect(readWarningCodes('superfluous_charset')).toHaveLength(1);
  });

  it('are five of a response at most', () => {
    expect(readWarningCodes(Array.from({ length: 1_000 }, () => 'again'))).toHaveLength(5);
    expect(readWarningCodes([null, 5, '', {}])).toEqual([]);
  });
});
