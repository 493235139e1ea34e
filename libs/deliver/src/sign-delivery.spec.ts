import { describe, expect, it } from '@jest/globals';
import { Secret } from '#secrets';
import { signDelivery } from './sign-delivery.js';

const delivery = { id: 'dlv_1', body: '{"a":1}', at: 1_795_305_600_000 };

describe('the signature of a delivery', () => {
  it('has a further name for existing receivers, if one is set', () => {
    const own = signDelivery(delivery, new Secret('s'));
    expect(Object.keys(own)).toEqual([
      'x-onefold-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(signDelivery(delivery, new Secret('s'), 'X-Acme-Signature')).toEqual({
      ...own,
      'x-acme-signature': own['x-onefold-signature'],
    });
  });
});
