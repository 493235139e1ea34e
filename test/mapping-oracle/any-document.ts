import fc from 'fast-check';
import { field, texts } from './words.js';

/** Inputs that have what the programs look for, or something else there. */
export const anyDocument: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.letrec<{ any: unknown; object: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        {
          weight: 2,
          arbitrary: fc.constantFrom<unknown>(
            null,
            true,
            false,
            0,
            1,
            2,
            -1,
            1.5,
            9007199254740993n,
          ),
        },
        { weight: 2, arbitrary: texts },
        { weight: 2, arbitrary: fc.array(tie('any'), { maxLength: 3 }) },
        { weight: 2, arbitrary: tie('object') },
      ),
      object: fc
        .array(fc.tuple(field, tie('any')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    })).object,
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
