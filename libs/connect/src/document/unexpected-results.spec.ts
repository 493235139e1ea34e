import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { readAllRows } from '../lists/whole-list.js';
import { pagesOf, run, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const failed = async (work: Promise<unknown>) => {
  const error = await work.catch((cause: unknown) => cause);
  if (!(error instanceof ApiError)) throw new Error('it did not fail with an ApiError');
  const { status, message, options } = error;
  return { status, message, remediation: options.remediation };
};

// "`rows` and `record` must be what they say: null or another type is a 502 that names expression and line."
describe('a record that is not an object', () => {
  const read = 'action: read\nsteps: [{ path: /one }]\nrecord: this.steps.call.item';

  it.each([
    ['null', { item: null }, 'is null'],
    ['absent', {}, 'is null'],
    ['a text', { item: 'one' }, 'is a string'],
    ['a number', { item: 5 }, 'is a number'],
    ['a boolean', { item: false }, 'is a bool'],
    ['a list', { item: [{ id: '1' }] }, 'is an array'],
  ])('such as %s is a 502 that names expression and line', async (_name, answer, found) => {
    served.handle = () => answer;
    expect(await failed(run(read))).toEqual({
      status: 502,
      message: `the provider document failed at operations.custom_query.record (line 12): this.steps.call.item ${found}, not an object`,
      remediation:
        'If it is null for a missing record, add a check with the status 404 to the step.',
    });
    expect(served.asked).toEqual(['/one']);
  });

  it('can be a 404 by a check of the document, as the remediation says', async () => {
    served.handle = () => ({ item: null });
    const check = `{ that: this.body.item != null, status: 404, message: '"there is none"' }`;
    const checked = read.replace('{ path: /one }', `{ path: /one, checks: [${check}] }`);
    expect(await failed(run(checked))).toMatchObject({ status: 404, message: 'there is none' });
  });
});

describe('a list with null among its rows', () => {
  const rowsOf = async (filter: string) =>
    await readAllRows(
      await pagesOf(`steps: [{ path: /list }]\nrows: this.steps.call.items${filter}`),
      '',
    );

  it('has the others, and names place, expression and line of what is left out', async () => {
    served.handle = () => ({ items: [{ id: '1' }, null, { id: '3' }] });
    expect(await rowsOf('')).toEqual([{ id: '1' }, { id: '3' }]);
    expect(served.problems.render(0)?.problems).toMatchObject([
      {
        message:
          'row 2 was left out: the provider document failed at operations.custom_query.rows (line 11): this.steps.call.items has null there, not a record',
        remediation:
          'If the provider has gaps, write `.filter(row -> row != null)` behind the expression.',
        instance: 'record-left-out',
      },
    ]);
    expect(await rowsOf('.filter(row -> row != null)')).toEqual([{ id: '1' }, { id: '3' }]);
  });

  it('may have other elements than objects, such as pairs of records', async () => {
    served.handle = () => ({ items: [[{ id: '1' }, { name: 'ada' }], 'two'] });
    expect(await rowsOf('')).toEqual([[{ id: '1' }, { name: 'ada' }], 'two']);
  });
});
