import { describe, expect, it } from '@jest/globals';
import { compareTimes } from './time-checks.js';

const now = Date.parse('2026-11-22T00:00:00Z');
const compare = (source: object, record: object, all = '') =>
  compareTimes([{ source, record }], { all, now });
const moved = (place: string) => [`${place} is at a time that the vendor has not sent`];

describe('the times of a record', () => {
  it('are those of the vendor, in every form that vendors write', () => {
    const at = Date.parse('2026-03-01T10:20:30Z');
    for (const written of [
      '2026-03-01T10:20:30Z',
      '2026-03-01T12:20:30.123+0200',
      '2026-03-01 10:20:30 UTC',
      '2026-03-01 10:20:30',
      'Sun, 01 Mar 2026 10:20:30 GMT',
      at,
      at / 1000,
      at * 1000,
      `${at / 1000}.000200`,
    ]) {
      expect([written, compare({ written }, { time: at })]).toEqual([
        written,
        { faults: [], compared: 1 },
      ]);
      expect([written, compare({ written }, { time: at + 7_200_000 }).faults]).toEqual([
        written,
        moved('/time'),
      ]);
    }
  });

  it('may come from another answer of the vendor, or be those of the call', () => {
    const all = '{"created":"2026-03-01T10:20:30Z"}';
    const record = { created_at: '2026-03-01T10:20:30Z', time: now + 1000 };
    expect(compare({}, record, all)).toEqual({ faults: [], compared: 1 });
    expect(compare({}, record).faults).toEqual(moved('/created_at'));
  });

  it('keep the offset of the vendor', () => {
    const source = { created: '2026-03-01T12:20:30+02:00' };
    expect(compare(source, { created_at: '2026-03-01T12:20:30+02:00' }).faults).toEqual([]);
    expect(compare(source, { created_at: '2026-03-01T10:20:30Z' }).faults).toEqual([
      "/created_at has the offset Z, the vendor's has +02:00",
    ]);
  });
});
