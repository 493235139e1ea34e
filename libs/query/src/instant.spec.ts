import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { instantOf, parseInstant } from './instant.js';

const at = Date.UTC(2026, 0, 1, 10, 0, 0);

describe('the time of a text', () => {
  it.each([
    ['2026-01-01T10:00:00Z', at],
    ['2026-01-01t10:00:00z', at],
    ['2026-01-01T10:00Z', at],
    ['2026-01-01T12:00:00+02:00', at],
    ['2026-01-01T10:00:00.000+0000', at],
    ['2026-01-01T05:00:00-05', at],
    ['2026-01-01 10:00:00 +0000', at],
    ['2026-01-01T10:00:00.1234567Z', at + 123],
    ['2026-01-01T10:00:00,5Z', at + 500],
    ['1767261600000', at],
    ['0', 0],
    ['-62135596800000', -62135596800000],
    ['0001-01-01T00:00:00', -62135596800000],
    ['0050-01-01', Date.parse('0050-01-01T00:00:00Z')],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
  ])('of %s is %d', (text, ms) => {
    expect(parseInstant(text)).toBe(ms);
  });

  it.each([
    '',
    'yesterday',
    '01/02/2026 10:00 AM',
    'Thu, 01 Jan 2026 10:00:00 GMT',
    '2026-02-30',
    '2026-13-01',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:60Z',
    '2026-01-01T10:00:00+25:00',
    '2026-01-01T10:00:00 02:00',
    '2026-01-01T10:00:00Z and more',
    '2026',
    '20260101',
    '1767261600',
    '9999999999999999',
    '1767261600000.5',
  ])('"%s" is none', (text) => {
    expect(parseInstant(text)).toBeNaN();
  });

  it('without an offset is UTC in a process of another zone', () => {
    const script = `import('#query').then(({ parseInstant }) => console.log(
      ['2026-01-01T10:00:00', '2026-01-01 10:00:00', '2026-01-01T10:00'].map(parseInstant).join(' ')))`;
    const env = { ...process.env, TZ: 'America/New_York' };
    const shown = execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
    expect(shown.trim()).toBe(`${at} ${at} ${at}`);
  });
});

describe('the time in a record', () => {
  it('is a number of milliseconds or a text, and missing if it is neither', () => {
    expect([at, BigInt(at), '2026-01-01 10:00:00'].map(instantOf)).toEqual([at, at, at]);
    expect(['', null, undefined, true, Number.NaN, 1e17, {}].map(instantOf)).toEqual(
      Array.from({ length: 7 }, () => undefined),
    );
  });
});
