import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRfc3339, Timestamp } from './timestamp.js';
import { zoneOffset } from './zones.js';

const [first, last] = [-62_167_219_200_000, 253_402_300_799_999];
const anyMillisecond = fc.integer({ min: first, max: last });

describe('a timestamp', () => {
  it('is written and read as the host writes and reads it', () => {
    fc.assert(
      fc.property(anyMillisecond, (milliseconds) => {
        const seconds = Math.floor(milliseconds / 1000);
        const time = new Timestamp(seconds, (milliseconds - seconds * 1000) * 1_000_000);
        const shown = new Date(milliseconds)
          .toISOString()
          .replace(/(\.\d*?)0*Z$/, (_all, fraction: string) =>
            fraction === '.' ? 'Z' : `${fraction}Z`,
          );
        expect(parseRfc3339(new Date(milliseconds).toISOString())).toEqual(time);
        expect(time.toString()).toBe(shown);
        expect(Timestamp.ofNanoseconds(time.nanoseconds)).toEqual(time);
      }),
    );
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+1:00',
    '2026-01-01T00:00:00Zx',
    '2026-1-01T00:00:00Z',
  ])('does not read %s', (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });

  it('has the offset of its zone at any time, remembered or not', () => {
    const zones = [
      'Europe/Lisbon',
      'America/New_York',
      'Africa/Casablanca',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'Australia/Lord_Howe',
    ];
    const host = (zone: string, at: number) => {
      const format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        timeZoneName: 'longOffset',
      });
      const [, sign = '+', hours = '0', minutes = '0'] =
        /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(at)) ?? [];
      return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) + 0;
    };
    const since = fc.integer({ min: Date.UTC(1976, 0, 1), max: Date.UTC(2037, 0, 1) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), since, (zone, at) => {
        for (const near of [at, at + 3_600_000, at])
          expect([zone, near, zoneOffset(zone, near) + 0]).toEqual([zone, near, host(zone, near)]);
      }),
      { numRuns: 300 },
    );
  });
});
