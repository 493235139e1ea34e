import { describe, expect, it } from '@jest/globals';
import type { Connector, OperationResult } from '#connect';
import type { Call } from '#contract';
import { CustomHandlers } from './custom.handlers.js';

describe('a batch of records', () => {
  it('names the informational problems of all, each with its place in the batch', async () => {
    const run = ({ body }: Call) => {
      const { name, lost } = body as { name: string; lost?: string };
      const problem = {
        message: `${lost} was not written`,
        instance: 'field-not-written',
        context: { parameter: { id: `/${lost}`, location: 'body' } },
        status: 200,
        occurred_at: '2026-01-31T12:00:00.000Z',
      };
      return Promise.resolve({
        result: { name },
        ...(lost && { messages: { problems: [problem] } }),
      });
    };
    const handlers = new CustomHandlers({ run } as unknown as Connector);
    const body = [{ name: 'a' }, { name: 'b', lost: 'colour' }];
    const path = { operation: 'custom_post' };
    const post = (bodies: object[]) =>
      handlers.postBatch({ path, body: bodies } as unknown as Call<'custom_post_batch'>);
    const { result, messages } = (await post(body)) as OperationResult;
    expect(result).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(messages?.problems).toMatchObject([
      {
        message: 'colour was not written',
        context: { parameter: { id: '/1/colour', location: 'body' } },
      },
    ]);
    expect(await post([{ name: 'a' }])).toEqual({ result: [{ name: 'a' }] });
  });
});
