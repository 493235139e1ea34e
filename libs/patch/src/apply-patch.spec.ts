import { describe, expect, it } from '@jest/globals';
import { applyPatch } from './apply-patch.js';
import { PatchError } from './patch-error.js';

type Document = Record<string, unknown>;

function refusal(document: object, ...patch: unknown[]): { pointer: string; reason: string } {
  try {
    applyPatch(document, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { pointer, reason } = error;
    return { pointer, reason };
  }
  throw new Error('the patch was applied');
}

describe('JSON Patch, the examples of RFC 6902', () => {
  it.each<[string, Document, object[], Document]>([
    [
      'A.1',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux' }],
      { baz: 'qux', foo: 'bar' },
    ],
    [
      'A.2',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [
      'A.4',
      { foo: ['bar', 'qux', 'baz'] },
      [{ op: 'remove', path: '/foo/1' }],
      { foo: ['bar', 'baz'] },
    ],
    [
      'A.5',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'A.6',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'A.11',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'q', xyz: 1 }],
      { foo: 'bar', baz: 'q' },
    ],
    ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [
      'A.16',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
    ['copy', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    ['null', { a: 1 }, [{ op: 'add', path: '/a', value: null }], { a: null }],
    ['move onto itself', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
  ])('%s', (_name, document, patch, expected) => {
    const before = structuredClone(document);
    expect(applyPatch(document, patch)).toEqual(expected);
    expect(document).toEqual(before);
  });

  it.each<[string, Document, object, string, string]>([
    ['A.9', { baz: 'qux' }, { op: 'test', path: '/baz', value: 'bar' }, '/0/value', 'test'],
    ['A.12', { foo: 'bar' }, { op: 'add', path: '/baz/bat', value: 'qux' }, '/0/path', 'invalid'],
    ['A.15', { '/': 9, '~1': 10 }, { op: 'test', path: '/~01', value: '10' }, '/0/value', 'test'],
  ])('%s is refused', (_name, document, operation, pointer, reason) => {
    expect(refusal(document, operation)).toEqual({ pointer, reason });
  });
});

describe('a pointer of a patch', () => {
  const document = { list: ['a', 'b'], text: 'abc', map: { own: 1 } };

  it.each([
    '/hasOwnProperty/call',
    '/toString/x',
    '/constructor/prototype/x',
    '/__proto__',
    '/__proto__/x',
    '/map/__proto__',
    '/map/constructor/x',
    '/list/constructor/x',
    '/list/push',
    '/list/push/call',
    '/list/length',
    '/list/01',
    '/list/1e0',
    '/list/-1',
    '/list/+1',
    '/list/0x1',
    '/list/ 1',
    '/list/',
    '/list/1.0',
    '/list/3',
    '/list/99999999999999999999',
    '/list/-/x',
    '/text/0',
    '/text/length',
    '/map/own/x',
    '~',
    'text',
    '/~2',
    '',
  ])('%j names nothing that can be written', (path) => {
    for (const operation of [
      { op: 'add', path, value: 1 },
      { op: 'replace', path, value: 1 },
      { op: 'remove', path },
      { op: 'copy', from: '/text', path },
      { op: 'move', from: '/text', path },
    ])
      expect(refusal(document, operation)).toEqual({ pointer: '/0/path', reason: 'invalid' });
    expect(({} as { toString: Document }).toString['x']).toBeUndefined();
    expect(({} as Document)['x']).toBeUndefined();
  });

  it.each([
    '/toString',
    '/hasOwnProperty/call',
    '/list/length',
    '/list/map',
    '/text/length',
    '/__proto__',
  ])('%j names nothing that can be read', (from) => {
    for (const op of ['copy', 'move'])
      expect(refusal(document, { op, from, path: '/new' })).toEqual({
        pointer: '/0/from',
        reason: 'invalid',
      });
    expect(refusal(document, { op: 'test', path: from, value: 2 }).reason).toBe('test');
  });

  it('may name own fields that objects also inherit', () => {
    const odd = applyPatch({}, [
      { op: 'add', path: '/constructor', value: {} },
      { op: 'add', path: '/constructor/toString', value: 1 },
    ]);
    expect(JSON.stringify(odd)).toBe('{"constructor":{"toString":1}}');
  });

  it('leaves the patch itself as it was sent', () => {
    const value = { inner: [] as number[] };
    const patch = [
      { op: 'add', path: '/map/new', value },
      { op: 'add', path: '/map/new/inner/-', value: 1 },
    ];
    expect(applyPatch(document, patch)).toMatchObject({ map: { new: { inner: [1] } } });
    expect(value).toEqual({ inner: [] });
  });
});

describe('what a patch may cost', () => {
  const labels = Array.from({ length: 100 }, (_, index) => `label ${index}`);

  it('copies that double a record end at its greatest size', () => {
    const double = { op: 'copy', from: '', path: '/-' };
    expect(refusal(labels, ...Array.from({ length: 26 }, () => double)).pointer).toMatch(/from$/);
    const into = Array.from({ length: 60 }, () => ({
      op: 'copy',
      from: '/labels',
      path: '/labels/-',
    }));
    expect(refusal({ labels }, ...into).reason).toBe('invalid');
  });

  it('copies onto the same place are counted too', () => {
    const large = { from: Array.from({ length: 100_000 }, () => 0) };
    const again = Array.from({ length: 1000 }, () => ({ op: 'copy', from: '/from', path: '/to' }));
    expect(refusal(large, ...again).pointer).toMatch(/from$/);
  });

  it('items that move are counted', () => {
    const large = { list: Array.from({ length: 1_000_000 }, () => 0) };
    const front = Array.from({ length: 1000 }, () => ({ op: 'add', path: '/list/0', value: 0 }));
    expect(refusal(large, ...front).reason).toBe('invalid');
  });

  it('nests 100 levels at most', () => {
    const deep = (levels: number) =>
      Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 0);
    expect(applyPatch({}, [{ op: 'add', path: '/a', value: deep(99) }])).toHaveProperty('a');
    expect(refusal({}, { op: 'add', path: '/a', value: deep(100) }).pointer).toBe('/0/value');
    expect(refusal({}, { op: 'add', path: '/a', value: deep(10_000) }).pointer).toBe('/0/value');
    expect(refusal({ a: 1 }, { op: 'test', path: '/a', value: deep(10_000) }).pointer).toBe(
      '/0/value',
    );
    const into = Array.from({ length: 101 }, () => ({ op: 'copy', from: '', path: '/0' }));
    expect(refusal([[]], ...into).pointer).toMatch(/from$/);
  });

  it('accepts 1,000 operations', () => {
    const test = { op: 'test', path: '/0', value: 'label 0' };
    expect(
      applyPatch(
        labels,
        Array.from({ length: 1000 }, () => test),
      ),
    ).toEqual(labels);
    expect(refusal(labels, ...Array.from({ length: 1001 }, () => test)).pointer).toBe('');
  });

  it('a record that is larger already can be made smaller, and not larger', () => {
    const large = { text: 'x'.repeat(11 * 1024 * 1024), other: 'y' };
    expect(applyPatch(large, [{ op: 'replace', path: '/text', value: 'x' }])).toEqual({
      text: 'x',
      other: 'y',
    });
    expect(refusal(large, { op: 'add', path: '/new', value: 'y' }).pointer).toBe('/0/value');
  });
});

describe('an operation of a patch', () => {
  it.each([
    [null, '/0'],
    ['remove', '/0'],
    [[], '/0'],
    [{}, '/0/op'],
    [{ op: 'constructor', path: '/a' }, '/0/op'],
    [{ op: 'add', path: '/a' }, '/0/value'],
    [{ op: 'copy', path: '/a' }, '/0/from'],
    [{ op: 'copy', path: '/a', from: 7 }, '/0/from'],
    [{ op: 'add', path: 7, value: 1 }, '/0/path'],
    [{ op: 'add', value: 1 }, '/0/path'],
    [{ op: 'move', from: '/a', path: '/a/b' }, '/0/path'],
  ])('%j is refused at %s', (operation, pointer) => {
    expect(refusal({ a: {} }, operation)).toEqual({ pointer, reason: 'invalid' });
  });
});
