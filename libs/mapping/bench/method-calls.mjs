// Calls of single methods beside the same by hand: each is made for all texts of a list, so that the run around them counts for little.
import { variantsOf } from './real-mappings.mjs';

const describe = (method, call, input, byHand) => ({
  name: method,
  template: `root = this.map_each(v -> v${call})`,
  input: variantsOf(input, 100),
  byHand: (list) => list.map(byHand),
});

/** `{ name, template, input, byHand }` of each. */
export const methodCalls = [
  describe(
    're_replace_all',
    String.raw`.re_replace_all("[^a-z0-9]+", "-")`,
    'the vpn, on host 7 (eu)',
    (text) => text.replace(/[^a-z0-9]+/g, '-'),
  ),
  describe(
    're_match',
    String.raw`.re_match("^(get|list|describe)")`,
    'describe instances 1',
    (text) => /^(get|list|describe)/.test(text),
  ),
  describe(
    'ts_parse',
    '.ts_parse("2006-01-02 15:04:05").ts_unix()',
    '2026-03-04 05:06:07',
    (text) => Math.floor(Date.parse(`${text.replace(' ', 'T')}Z`) / 1000),
  ),
  describe('ts_unix_milli', '.ts_unix_milli()', '2026-03-04T05:06:07.123Z', (text) =>
    Date.parse(text),
  ),
  describe(
    'format',
    '.map(f -> "%s on %s".format(f.name, f.host))',
    { name: 'finding 1', host: 'web-01' },
    (one) => `${one.name} on ${one.host}`,
  ),
  describe('concat', '.first.concat(v.second)', { first: [1, 2, 3], second: [4, 5] }, (one) => [
    ...one.first,
    ...one.second,
  ]),
];
