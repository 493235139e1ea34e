import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { Client } from '../e2e/client.js';
import { configurationOf, mockWalks, operationsOfMocks, runMockWalk } from '../walks/mock-walks.js';
import { type Service, startService } from './service.js';

let service: Service;
let accountId: string;
/** The organization that must see nothing of the first one. */
let other: Client;
let otherAccountId: string;

beforeAll(async () => {
  service = await startService();
  const administrator = new Client(service.url, service.administrator.access);
  accountId = (await administrator.call('accounts_create', { body: {} })).result.account.id;
  other = new Client(service.url, (await service.organization('other')).access);
  otherAccountId = (await other.call('accounts_create', { body: {} })).result.account.id;
}, 30_000);
afterAll(() => service.stop());

async function integrate(
  client: Client,
  account: string,
  config: { type: string },
): Promise<Client> {
  const { result } = await client.call('integrations_create', {
    path: { accountId: account },
    body: { provider_config: config as never },
  });
  return client.as(result.token.access.secret);
}

describe.each(mockWalks.map((walk) => [walk.type, walk] as const))('%s', (_type, walk) => {
  // The client holds each response against the contract.
  it('takes valid input of its operations, and shows nothing of it to another organization', async () => {
    const administrator = new Client(service.url, service.administrator.access);
    const secret = `canary of ${walk.type}`;
    const mine = await integrate(administrator, accountId, configurationOf(walk));
    await runMockWalk(mine, walk, secret);
    const texts: string[] = [];
    const theirs = await integrate(other, otherAccountId, configurationOf(walk));
    theirs.onAnswer = (text) => texts.push(text);
    await runMockWalk(theirs, walk, 'their own text');
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
  });
});

it('every served operation of the connector API succeeds with at least one mock', () => {
  const called = new Set<OperationId>(
    mockWalks.flatMap(({ steps }) =>
      steps.filter(({ refused }) => refused === undefined).map(({ call }) => call),
    ),
  );
  expect(operationsOfMocks.filter((id) => !called.has(id))).toEqual([]);
});
