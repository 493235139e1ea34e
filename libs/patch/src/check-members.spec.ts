import { describe, expect, it } from '@jest/globals';
import { applyPatch } from './apply-patch.js';
import type { KnownMembers } from './check-members.js';
import { PatchError } from './patch-error.js';

const known: KnownMembers = {
  name: true,
  note: true,
  options: { ttl: true, inner: { deep: true } },
  rows: { '*': { id: true } },
  labels: { '*': true },
  map: { '*': true },
};
const record = { name: 'a', options: { ttl: 1 }, rows: [{ id: 1 }], map: {}, own: { x: 1 } };
const patch = (...steps: object[]) => applyPatch(record, steps, [], known);

function refusal(...steps: object[]): Pick<PatchError, 'message' | 'pointer' | 'remediation'> {
  try {
    patch(...steps);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('the patch was accepted');
}

describe('a patch of a member that the record does not have', () => {
  it.each([
    [{ op: 'add', path: '/nmae', value: 'b' }, '/nmae', '/0/path'],
    [{ op: 'add', path: '/options/tll', value: 2 }, '/options/tll', '/0/path'],
    [{ op: 'add', path: '/options', value: { tll: 2 } }, '/options/tll', '/0/value'],
    [{ op: 'add', path: '/options/inner', value: { dep: 1 } }, '/options/inner/dep', '/0/value'],
    [{ op: 'add', path: '/rows/0/idd', value: 2 }, '/rows/0/idd', '/0/path'],
    [{ op: 'add', path: '/rows/-', value: { idd: 2 } }, '/rows/1/idd', '/0/value'],
    [{ op: 'move', from: '/name', path: '/nmae' }, '/nmae', '/0/path'],
    [{ op: 'copy', from: '/name', path: '/nmae' }, '/nmae', '/0/path'],
    [{ op: 'replace', path: '/own/x', value: 2 }, '/own', '/0/path'],
    [{ op: 'add', path: '/a~1b', value: 2 }, '/a~1b', '/0/path'],
    [{ op: 'add', path: '/*', value: 2 }, '/*', '/0/path'],
    [{ op: 'add', path: '/constructor', value: 2 }, '/constructor', '/0/path'],
  ])('%j is refused: %s', (step, name, pointer) => {
    const error = refusal(step);
    expect(error.message).toBe(`${name} is not a known field`);
    expect(error.pointer).toBe(pointer);
  });

  it('is refused with the fields that there are, at the operation that wrote it last', () => {
    const error = refusal(
      { op: 'add', path: '/name', value: 'b' },
      { op: 'add', path: '/options/tll', value: 2 },
      { op: 'test', path: '/options/tll', value: 2 },
    );
    expect(error).toMatchObject({ pointer: '/1/path', remediation: 'Use one of ttl, inner.' });
  });

  it.each([
    [{ op: 'add', path: '/note', value: 'b' }],
    [{ op: 'add', path: '/labels', value: ['x'] }],
    [{ op: 'add', path: '/map/any~1thing', value: { at: 'all' } }],
    [{ op: 'add', path: '/rows/0', value: { id: 7 } }],
    [{ op: 'add', path: '/options/inner', value: { deep: 1 } }],
    [{ op: 'remove', path: '/own' }],
    [{ op: 'test', path: '/own/x', value: 1 }],
    [{ op: 'add', path: '/options/newer', value: null }],
  ])('%j is applied', (step) => {
    expect(() => patch(step)).not.toThrow();
  });

  it('is applied if a later operation takes it away again', () => {
    expect(patch({ op: 'add', path: '/x', value: 1 }, { op: 'remove', path: '/x' })).toEqual(
      record,
    );
  });
});
