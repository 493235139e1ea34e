import { beforeAll, it } from '@jest/globals';
import { shareOf } from '#test/harness';
import { checkMockWalk, configurationOf, mockWalks } from '../walks/mock-walks.js';
import type { Onefold } from './onefold.js';

/** One in so many mocks is called in `npm test`, where test/api/mocks.spec.ts calls all of them in one process. */
const interval = 3;

/** Calls the operations of mocks with valid input, each on a new integration. */
export function mockWalk(onefold: () => Onefold): void {
  let accountId: string;

  beforeAll(async () => {
    const { result } = await onefold().api.call('accounts_create', { body: { name: 'mocks' } });
    accountId = result.account.id;
  });

  it.each(shareOf(mockWalks, interval).map((walk) => [walk.type, walk] as const))(
    '%s',
    async (type, walk) => {
      const { api } = onefold();
      const { result } = await api.call('integrations_create', {
        path: { accountId },
        body: { name: type.replaceAll('_', '-'), provider_config: configurationOf(walk) as never },
      });
      await checkMockWalk(api.as(result.token.access.secret), walk, `Needle of ${type}`);
    },
  );
}
