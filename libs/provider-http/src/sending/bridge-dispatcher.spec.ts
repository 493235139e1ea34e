import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { BridgeFailure, type FailureReason } from '#bridge';
import type { ResolvedBridge } from '#bus';
import { bridgeRoute, type BridgeSender } from './bridge-dispatcher.js';

const bridge: ResolvedBridge = {
  selected: 'the bridge group "plant"',
  groups: ['brg_1', 'brg_2'],
  lastSeen: null,
};

/** Groups that fail so often, each with its reason, before they answer. @returns the groups that were called */
function failing(failures: { reason: FailureReason; isSent?: boolean }[]) {
  const called: string[] = [];
  const sender: BridgeSender = {
    callBridge: (group) => {
      called.push(group);
      const failure = failures.shift();
      if (failure !== undefined)
        return Promise.reject(new BridgeFailure(failure.reason, 'why', failure.isSent ?? false));
      return Promise.resolve({ head: { status: 200, headers: {} }, body: Buffer.from('done') });
    },
  };
  const send = async (method: 'GET' | 'POST') => {
    const { dispatcher } = bridgeRoute(sender, bridge);
    const { statusCode, body } = await request('http://plant.internal/', { method, dispatcher });
    return [statusCode, await body.text()];
  };
  return { called, send };
}

it('hands no header of a request to the agents as a use of their secrets', async () => {
  const heads: unknown[] = [];
  const sender: BridgeSender = {
    callBridge: (_group, { head }) => {
      heads.push(head);
      return Promise.resolve({ head: { status: 200, headers: {} }, body: Buffer.from('done') });
    },
  };
  const use = { send: 'header', secret: 'jira', name: 'x-key', value: '{{secret}}' };
  const value = Buffer.from(JSON.stringify([use])).toString('base64');
  const { dispatcher } = bridgeRoute(sender, bridge);
  const headers = { 'onefold-bridge-secrets': value, 'onefold-secrets': value };
  await (await request('http://plant.internal/', { headers, dispatcher })).body.text();
  expect(heads).toEqual([expect.not.objectContaining({ secrets: expect.anything() as unknown })]);
});

describe('a request through the groups of an integration', () => {
  it('is offered to the next group when the agents of one are busy', async () => {
    const { called, send } = failing([{ reason: 'busy' }]);
    expect(await send('POST')).toEqual([200, 'done']);
    expect(called).toEqual(['brg_1', 'brg_2']);
  });

  it('is offered again when all are busy, because agents at another gateway may be free', async () => {
    const { called, send } = failing([{ reason: 'busy' }, { reason: 'busy' }, { reason: 'busy' }]);
    expect(await send('POST')).toEqual([200, 'done']);
    expect(called).toEqual(['brg_1', 'brg_2', 'brg_1', 'brg_2']);
  });

  it('is a 503 when all stay busy', async () => {
    const { called, send } = failing(Array.from({ length: 99 }, () => ({ reason: 'busy' })));
    await expect(send('GET')).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('take no more requests') as unknown,
    });
    expect(called).toHaveLength(6);
  });

  it.each([
    ['a read that an agent took with it is sent again', 'GET', true, 2],
    ['a write that an agent took with it is not', 'POST', true, 1],
    ['a write that no agent got is', 'POST', false, 2],
  ] as const)('%s', async (_title, method, isSent, count) => {
    const { called, send } = failing([{ reason: 'gone', isSent }]);
    if (count === 1) await expect(send(method)).rejects.toMatchObject({ status: 503 });
    else expect(await send(method)).toEqual([200, 'done']);
    expect(called).toHaveLength(count);
  });
});
