import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareAll } from './agreement.js';
import { anyDocument } from './any-document.js';
import { anyProgram } from './any-program.js';

describe('closures, generated code and the oracle', () => {
  it('say the same of any program and input, and leave the input as it was', () => {
    let agreed = 0;
    fc.assert(
      fc.property(anyProgram, anyDocument, (source, input) => {
        const result = compareAll(source, input);
        if (result === 'agreed') agreed += 1;
        else if (result !== 'refused') expect(result.outcomes).toEqual({});
      }),
      { numRuns: 600 },
    );
    expect(agreed).toBeGreaterThan(400);
  });

  it('stop at the same step when there is little fuel', () => {
    fc.assert(
      fc.property(
        anyProgram,
        anyDocument,
        fc.integer({ min: 0, max: 60 }),
        (source, input, fuel) => {
          const result = compareAll(source, input, fuel);
          if (typeof result !== 'string') expect(result.outcomes).toEqual({});
        },
      ),
      { numRuns: 300 },
    );
  });
});
