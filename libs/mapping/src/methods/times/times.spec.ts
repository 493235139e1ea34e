import { describe, expect, it } from '@jest/globals';
import { compileTemplate } from '../../index.js';
import { cpuTimeOf } from '../../../../../test/mapping-oracle/cpu-time.js';

const run = (template: string, input: unknown = null) => compileTemplate(template).run(input).root;

describe('a hostile layout of times', () => {
  it('cannot read digits in many ways, nor be long', () => {
    const layout = '2'.repeat(40);
    expect(() => run(`root = this.ts_parse("${layout}")`, '1'.repeat(60))).toThrow(
      'a layout has at most 12 fields without a fixed length',
    );
    expect(() => run('root = 0.ts_format("2".repeat(2000))')).toThrow(
      'a layout is at most 1000 characters long',
    );
    expect(
      cpuTimeOf(() => {
        expect(() => run(`root = this.ts_parse("${'2'.repeat(12)}x")`, '1'.repeat(60))).toThrow(
          'cannot parse',
        );
      }),
    ).toBeLessThan(1_000);
  });

  it('cannot fill a cache with the names of one zone', () => {
    const template = `root = range(0, 2000).map_each(n -> 0.ts_tz(
      if n % 2 == 0 { "europe/BERLIN" } else { "EUROPE/berlin" }).ts_format("MST")).unique()`;
    expect(run(template.replaceAll('\n', ' '))).toEqual(['CET']);
  });

  it('does not make parse_duration read a long number again from each of its digits', () => {
    for (const text of ['1'.repeat(400_000), '1h'.repeat(100_000) + '1'.repeat(200_000)])
      expect(() => run('root = this.parse_duration()', text)).toThrow('time: invalid duration');
    for (const text of ['1h x', '1h.m', '--1s', '1h-1s'])
      expect(() => run('root = this.parse_duration()', text)).toThrow('time: invalid duration');
  });
});
