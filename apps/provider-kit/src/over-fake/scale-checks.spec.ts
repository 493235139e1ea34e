import { describe, expect, it } from '@jest/globals';
import { compareScales } from './scale-checks.js';

/** Records whose severity is a list of numbers, of vendor's records with these values. */
const compare = (name: string, theirs: unknown[], ours: number[]) =>
  compareScales(
    theirs.map((value, index) => ({
      source: { [name]: value, title: 'high' },
      record: { severity_id: ours[index], message: 'low' },
    })),
  );

describe('the order of severities', () => {
  it.each<[string, unknown[]]>([
    ['severity', ['low', 'medium', 'CRITICAL']],
    ['priority', ['P4', 'P3', 'P1']],
    ['priority', ['4 - Low', '3 - Moderate', '1 - Critical']],
    ['severity', [10, 40, 90]],
  ])('is that of %s %j', (name, theirs) => {
    expect(compare(name, theirs, [2, 3, 5])).toEqual({ faults: [], compared: ['/severity_id'] });
    expect(compare(name, theirs, [5, 3, 2]).faults).toEqual([
      `/severity_id is in the opposite order of /${name}`,
    ]);
  });

  it('cannot be compared where no two records differ, or the vendor has none', () => {
    expect(compare('severity', ['low', 'low'], [2, 2])).toEqual({ faults: [], compared: [] });
    expect(compare('rank', ['a', 'b'], [2, 3])).toEqual({ faults: [], compared: [] });
  });
});
