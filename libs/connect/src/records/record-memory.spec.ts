import { expect, it } from '@jest/globals';
import type { ApiError } from '#contract';
import { ResponseMemory } from '#provider-http';
import { run } from '../connector.fixture.js';

const megabyte = 1_000_000;
const row = (n: number) => ({ id: String(n), name: `Ticket ${n}`, text: 'x' });

/** A chain of a customer that makes a text of a megabyte of each record. */
const expanding = {
  chains: [
    {
      operationIds: ['ticketing_query_tickets'],
      mappings: [
        {
          reference: 'large:1',
          data: `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root = this
    root.description = this.text.repeat(${megabyte})
`,
        },
      ],
    },
  ],
};

function list(rows: number, memory: ResponseMemory) {
  const pages = {
    read: () => Promise.resolve({ rows: Array.from({ length: rows }, (_, n) => row(n)) }),
  };
  return run(
    'ticketing_query_tickets',
    { action: 'query', run: () => Promise.resolve({ pages }) } as never,
    { query: { limit: rows } },
    { ...(expanding as object), memory },
  );
}

it('records that a mapping makes large count towards the memory of responses, until the call ends', async () => {
  const memory = new ResponseMemory(10 * megabyte);
  const { result } = await list(5, memory);
  expect(JSON.stringify(result).length).toBeGreaterThan(5 * megabyte);
  expect(memory.heldBytes).toBe(0);
  const other = memory.open();
  other.take(6 * megabyte);
  const busy = (await list(5, memory).catch((error: unknown) => error)) as ApiError;
  expect([busy.status, busy.options.headers]).toEqual([503, { 'retry-after': '1' }]);
  expect(memory.heldBytes).toBe(6 * megabyte);
  other.release();
  const large = (await list(20, memory).catch((error: unknown) => error)) as ApiError;
  expect([large.status, large.options.remediation]).toEqual([
    502,
    expect.stringContaining('MAX_RESPONSES_BYTES'),
  ]);
  expect(memory.heldBytes).toBe(0);
});
