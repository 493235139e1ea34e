import { describe, expect, it } from '@jest/globals';
import type { ManagementContext } from '#management/core';
import type { KeyOwner, Transaction } from '#store';
import { mask, maskFields, sealFields } from './sealed-fields.js';

const context = {
  seal: async (_tx: unknown, { id, domain }: KeyOwner, text: string) =>
    `sealed for ${id} in ${domain}: ${text.length}`,
} as unknown as ManagementContext;
const tx = {} as Transaction;
const item = (webhook_url: string, integrator_key?: string) => ({
  webhook_url,
  ...(integrator_key ? { integrator_key } : {}),
});
const fields = (...items: object[]) => ({
  providerConfig: { type: 'assets_trimedx', subscription_key: 'hunter2' },
  webhookConfig: { items },
});

describe('secret fields of an integration', () => {
  it('are encrypted where the contract marks them, and masked in responses', async () => {
    const sealed = await sealFields(
      context,
      tx,
      { id: 'acc_1', domain: 'assets' },
      fields(item('https://a', 'key-a')),
      undefined,
    );
    expect(JSON.stringify(sealed)).not.toMatch(/hunter2|key-a/);
    expect(sealed.providerConfig['subscription_key']).toEqual({
      $sealed: 'sealed for acc_1 in assets: 7',
    });
    expect(maskFields(sealed)).toEqual({
      providerConfig: { type: 'assets_trimedx', subscription_key: mask },
      webhookConfig: { items: [item('https://a', mask)] },
    });
  });

  it('keep their value if the mask is sent back, at whatever index', async () => {
    const before = await sealFields(
      context,
      tx,
      { id: 'acc_1', domain: 'assets' },
      fields(item('https://a', 'a'), item('https://b', 'longer')),
      undefined,
    );
    const shown = maskFields(before);
    const { items } = shown.webhookConfig as { items: object[] };
    const after = await sealFields(
      context,
      tx,
      { id: 'acc_1', domain: 'assets' },
      { ...shown, webhookConfig: { items: items.slice(1) } },
      before,
    );
    expect(after.webhookConfig).toEqual({
      items: [
        { webhook_url: 'https://b', integrator_key: { $sealed: 'sealed for acc_1 in assets: 6' } },
      ],
    });
    expect(after.providerConfig).toEqual(before.providerConfig);
  });
});
