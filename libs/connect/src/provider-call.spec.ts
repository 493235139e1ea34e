import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { run } from './connector.fixture.js';
import type { MappedRequest } from './provider.js';

const paused = { step: 1, steps: { command: { cloud_request_id: 'r-1' } } };

async function execute(body: object, isFinished = true) {
  let request: MappedRequest = {};
  const { result } = await run(
    'edr_execute_command',
    {
      action: 'create',
      run: (_call, mapped) => {
        request = mapped;
        return Promise.resolve(
          isFinished ? { record: { command: 'ls', stdout: 'ok' } } : { paused },
        );
      },
    },
    { body },
  );
  return { result: result as { cursor: string } & Record<string, unknown>, request };
}

describe('an action that waits for the provider', () => {
  beforeAll(() => loadValidators());

  it('answers PENDING with a cursor, and goes on where it has stopped when the cursor comes back', async () => {
    const first = await execute({ command: 'ls' }, false);
    expect(first.result).toEqual({ status: 'PENDING', cursor: expect.stringMatching(/./) });
    expect(first.request.paused).toBeUndefined();
    const second = await execute({ command: 'ls', cursor: first.result.cursor });
    expect(second.request.paused).toEqual(paused);
    expect(second.result).toEqual({
      status: 'COMPLETE',
      cursor: '',
      result: { command: 'ls', stdout: 'ok' },
    });
  });

  it('refuses a cursor that it has not given', async () => {
    const refused = execute({ command: 'ls', cursor: 'made-up' });
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow('/cursor');
  });
});
