import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookRefused } from './index.js';

const body = '{"event":"account_create","nonce":"n","account":{"name":"Zürich"}}';
const now = Date.parse('2026-01-01T00:00:00Z');

/** The headers that a sender with the library of Standard Webhooks makes. */
function signed(secret: string, options?: { format: 'raw' }): Record<string, string> {
  return {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(now / 1_000),
    'webhook-signature': `v1a,AAAA v1,AAAA ${new Webhook(secret, options).sign('evt_1', new Date(now), body)}`,
  };
}

describe('verifyWebhook', () => {
  it('accepts what another implementation signed, with a text or a base64 secret', async () => {
    const base64 = `whsec_${Buffer.from('thirty-two random characters....').toString('base64')}`;
    const expected = { id: 'evt_1', event: JSON.parse(body) as unknown };
    expect(await verifyWebhook(body, signed(base64), base64, { now })).toEqual(expected);
    const headers = new Headers(signed('a secret text', { format: 'raw' }));
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook(bytes, headers, ['other', 'a secret text'], { now })).toEqual(
      expected,
    );
  });

  it.each([
    ['another body', { given: body.replace('Z', 'S') }],
    ['another secret', { secret: 'other' }],
    ['an old request', { at: now + 301_000 }],
    ['a request of the future', { at: now - 301_000 }],
    ['another id', { more: { 'Webhook-Id': 'evt_2' } }],
    ['no time', { more: { 'webhook-timestamp': '' } }],
    ['a time that is not a number', { more: { 'webhook-timestamp': 'now' } }],
    ['no signature of this version', { more: { 'webhook-signature': 'v2,AAAA v1,%%%' } }],
  ])(
    'refuses %s',
    async (
      _,
      {
        given = body,
        secret = 'a secret text',
        at = now,
        more = {},
      }: {
        given?: string;
        secret?: string;
        at?: number;
        more?: Record<string, string>;
      },
    ) => {
      const headers = { ...signed('a secret text', { format: 'raw' }), ...more };
      await expect(verifyWebhook(given, headers, secret, { now: at })).rejects.toThrow(
        WebhookRefused,
      );
    },
  );
});
