import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import {
  ApiError,
  loadValidators,
  type Operation,
  operationOf,
  type OperationId,
  operations,
  validateBody,
} from '#contract';
import { patchRecord } from '#management/core';
import { parsePointer, type PatchOperation, valuesAt } from '#patch';
import { sampleBody } from '../bodies/sample.js';

beforeAll(() => loadValidators());

/** Patches that store the same as an update: those of credentials have different rules. */
const patches = [...operations.values()].filter(
  ({ method, side, state, id }) =>
    method === 'PATCH' && side === 'management' && state === 'served' && id !== 'credentials_patch',
);
const updateOf = ({ id }: Operation) => id.replace(/_patch$/, '_update') as OperationId;

/** Pointers to everything in a record, to nothing, and to names that begin with one of its fields. */
function pointersOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at, `${at}/x`];
  return [
    at,
    `${at}/-`,
    ...Object.entries(value).flatMap(([key, one]) => pointersOf(one, `${at}/${key}`)),
  ];
}

describe.each(patches.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    it('refuses a field that the contract does not have, by its name', () => {
      const record = sampleBody(operationOf(updateOf(operation)), { all: true }) as object;
      const step: PatchOperation = { op: 'add', path: '/nmae', value: 'x' };
      const rules = { patch: operation.id, update: updateOf(operation) };
      expect(() => patchRecord(record, [step], rules)).toThrow(/\/nmae is not a known field/);
    });

    it('never changes a field that the contract marks as read-only', () => {
      const record = sampleBody(operationOf(updateOf(operation)), { all: true }) as object;
      expect(validateBody(operationOf(updateOf(operation)), record)).toEqual([]);
      const readOnly = operation.readOnly.map((pointer) => parsePointer(pointer) ?? []);
      const readOnlyPointers = operation.readOnly.map((pointer) => pointer.replaceAll('*', '0'));
      const pointer = fc.oneof(
        fc.constantFrom(...pointersOf(record)),
        fc.constantFrom('', '/', ...readOnlyPointers),
      );
      const value = fc.oneof(
        fc.constantFrom<unknown>('other', null, 7, [], {}, record, { ...record, id: 'other' }),
        fc.jsonValue({ maxDepth: 2 }),
      );
      const step: fc.Arbitrary<PatchOperation> = fc.oneof(
        fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
        fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }),
        fc.record({ op: fc.constant('remove'), path: pointer }),
      );
      let applied = 0;
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
          let patched: object;
          try {
            patched = patchRecord(record, steps, {
              patch: operation.id,
              update: updateOf(operation),
            });
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
            expect([400, 409]).toContain((error as ApiError).status);
            return;
          }
          applied += 1;
          for (const pattern of readOnly)
            expect(isDeepStrictEqual(valuesAt(patched, pattern), valuesAt(record, pattern))).toBe(
              true,
            );
          expect(validateBody(operationOf(updateOf(operation)), patched)).toEqual([]);
        }),
        { numRuns: 1_000 },
      );
      expect(readOnly.length).toBeGreaterThan(0);
      expect(applied).toBeGreaterThan(0);
    });
  },
);
