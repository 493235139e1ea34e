import { describe, expect, it } from '@jest/globals';
import type { OverFake } from './over-fake.js';
import { readWhole } from './sent-rows.js';

/** Reads a list whose vendor answers with this body. */
async function sentBy(body: unknown): Promise<number> {
  const over = {} as OverFake;
  const response = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
  const read = () => {
    over.answered?.push({ response } as unknown as NonNullable<OverFake['answered']>[number]);
    return Promise.resolve([]);
  };
  return (await readWhole(over, read)).sent;
}

describe('records that a vendor sends', () => {
  it('are the items of the longest list', async () => {
    expect(await sentBy({ value: [{ tags: ['a', 'b', 'c'] }, {}], other: [1] })).toBe(2);
  });

  it('are the rows of tables, as a query returns them', async () => {
    const columns = [{ name: 'a' }, { name: 'b' }];
    const rows = [
      ['1', 2],
      ['2', 3],
      ['3', 4],
    ];
    expect(await sentBy({ tables: [{ name: 'PrimaryResult', columns, rows }] })).toBe(3);
    expect(await sentBy({ tables: [{ name: 'PrimaryResult', columns, rows: [] }] })).toBe(0);
    expect(await sentBy({ data: { columns, values: rows.slice(2) } })).toBe(1);
  });
});
