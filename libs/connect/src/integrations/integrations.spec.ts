import { expect, it } from '@jest/globals';
import type { Bus, ResolvedIntegration } from '#bus';
import { Integrations, maxBytes } from './integrations.js';

const large = 4_000_000;

/** A bus that resolves every integration to one with a document of a customer. */
function busWith(data: string): Bus {
  const resolve = (id: string): Partial<ResolvedIntegration> => ({
    id,
    organizationId: 'org_1',
    accountId: 'acc_1',
    credentials: {},
    providerDocument: { id: 'cus_1', version: '1', data },
  });
  return {
    subscribe: () => () => undefined,
    onReconnect: () => () => undefined,
    call: (name: string, { integrationId }: { integrationId: string }) =>
      Promise.resolve(
        name === 'integrations.resolve' ? resolve(integrationId) : { position: 'p', changes: [] },
      ),
  } as unknown as Bus;
}

it('remembers integrations up to the bytes of their mappings and documents', async () => {
  const integrations = new Integrations(busWith('x'.repeat(large)));
  for (let n = 0; n < 40; n += 1) await integrations.find('org_1', `int_${n}`, 'r');
  const { count, bytes } = integrations.held;
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(bytes).toBeGreaterThan(maxBytes - 2 * large);
  expect(count).toBe(Math.floor(maxBytes / (bytes / count)));
  integrations.onModuleDestroy();
});
