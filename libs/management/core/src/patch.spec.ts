import { describe, expect, it } from '@jest/globals';
import { ApiError, type Fault } from '#contract';
import type { KnownMembers, PatchOperation } from '#patch';
import { applyPatch } from './patch.js';

const account = {
  id: 'acc_1',
  name: 'acme',
  fullname: 'Acme',
  environment: 'test',
  labels: ['emea'],
  updated_at: '2026-01-01T00:00:00Z',
};
const readOnly = ['/id', '/updated_at'];
const known: KnownMembers = {
  id: true,
  name: true,
  fullname: true,
  environment: true,
  updated_at: true,
  labels: { '*': true },
};

function patch(...operations: PatchOperation[]): typeof account {
  return applyPatch(account, operations, { readOnly, known, validate });
}

function validate(candidate: unknown): Fault[] {
  const { environment } = candidate as typeof account;
  if (environment === 'test' || environment === 'prod') return [];
  return [{ location: 'body', pointer: '/environment', message: 'must be test or prod' }];
}

function refusal(...operations: PatchOperation[]): { status: number; at: string | undefined } {
  try {
    patch(...operations);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem = error.toProblem('urn:x', new Date(0));
    return { status: error.status, at: problem.context?.parameter?.id };
  }
  throw new Error('the patch was accepted');
}

describe('a JSON Patch', () => {
  it('adds, replaces, removes, copies and moves in order, on a copy', () => {
    expect(
      patch(
        { op: 'add', path: '/labels/-', value: 'vip' },
        { op: 'copy', from: '/name', path: '/fullname' },
        { op: 'replace', path: '/environment', value: 'prod' },
        { op: 'remove', path: '/labels/0' },
      ),
    ).toEqual({ ...account, fullname: 'acme', environment: 'prod', labels: ['vip'] });
    expect(account.labels).toEqual(['emea']);
  });

  it('tests read-only fields, which is how a client locks optimistically', () => {
    expect(
      patch(
        { op: 'test', path: '/updated_at', value: '2026-01-01T00:00:00Z' },
        { op: 'replace', path: '/fullname', value: 'Acme Inc.' },
      ).fullname,
    ).toBe('Acme Inc.');
  });

  it('answers 409 if a test fails, also on a field that does not exist', () => {
    expect(refusal({ op: 'test', path: '/name', value: 'other' })).toEqual({
      status: 409,
      at: '/0/value',
    });
    expect(refusal({ op: 'test', path: '/nothing', value: 1 }).status).toBe(409);
    for (const value of [{ toString: 1 }, { valueOf: [], toString: [] }, [{ toString: null }]])
      expect(refusal({ op: 'test', path: '', value }).status).toBe(409);
    expect(patch({ op: 'test', path: '', value: { ...account } })).toEqual(account);
  });

  it('"required for `add`, `replace`, `test`": points at the element without a value', () => {
    const good: PatchOperation = { op: 'add', path: '/fullname', value: 'x' };
    for (const op of ['add', 'replace', 'test'] as const)
      expect(refusal(good, { op, path: '/fullname' })).toEqual({ status: 400, at: '/1/value' });
    expect(patch({ op: 'add', path: '/labels', value: null }).labels).toBeNull();
  });

  it('"required for `copy` and `move`": points at the element without from', () => {
    for (const op of ['copy', 'move'] as const)
      for (const from of [undefined, null])
        expect(refusal({ op, path: '/fullname', from })).toEqual({ status: 400, at: '/0/from' });
  });

  it.each([
    [{ op: 'replace', path: '/id', value: 'acc_2' }, '/0/path'],
    [{ op: 'remove', path: '/updated_at' }, '/0/path'],
    [{ op: 'copy', from: '/name', path: '/id' }, '/0/path'],
    [{ op: 'move', from: '/id', path: '/name' }, '/0/from'],
    [{ op: 'replace', path: '', value: { ...account, id: 'acc_2' } }, '/0/path'],
  ] as [PatchOperation, string][])('never changes a read-only field: %j', (operation, at) => {
    expect(refusal(operation)).toEqual({ status: 400, at });
  });

  it('validates the result and points at the operation that made it invalid', () => {
    expect(
      refusal(
        { op: 'replace', path: '/fullname', value: 'x' },
        { op: 'replace', path: '/environment', value: 'moon' },
      ),
    ).toEqual({ status: 400, at: '/1/value' });
    expect(refusal({ op: 'remove', path: '/environment' })).toEqual({ status: 400, at: '/0/path' });
  });

  it.each([
    [{ op: 'replace', path: '/nothing', value: 1 }, '/0/path'],
    [{ op: 'remove', path: '/labels/7' }, '/0/path'],
    [{ op: 'add', path: '/labels/7', value: 'x' }, '/0/path'],
    [{ op: 'add', path: '/no/parent', value: 'x' }, '/0/path'],
    [{ op: 'add', path: '/name/below', value: 'x' }, '/0/path'],
    [{ op: 'copy', from: '/fullname', path: '/name/below' }, '/0/path'],
    [{ op: 'move', from: '/fullname', path: '/name/0' }, '/0/path'],
    [{ op: 'copy', from: '/toString', path: '/name' }, '/0/from'],
    [{ op: 'replace', path: 'name', value: 'x' }, '/0/path'],
    [{ op: 'replace', path: '/na~me', value: 'x' }, '/0/path'],
    [{ op: 'add', path: '/__proto__/polluted', value: true }, '/0/path'],
    [{ op: 'add', path: '/constructor/prototype/polluted', value: true }, '/0/path'],
    [{ op: 'move', from: '/labels', path: '/labels/0' }, '/0/path'],
  ] as [PatchOperation, string][])('refuses a path that does not exist: %j', (operation, at) => {
    expect(refusal(operation)).toEqual({ status: 400, at });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('limits the number of operations', () => {
    const operations = Array.from(
      { length: 1001 },
      () => ({ op: 'test', path: '/name', value: 'acme' }) as const,
    );
    expect(refusal(...operations).status).toBe(400);
  });

  it('answers 400 for a field that the record does not have', () => {
    expect(refusal({ op: 'add', path: '/fulname', value: 'x' })).toEqual({
      status: 400,
      at: '/0/path',
    });
  });
});
