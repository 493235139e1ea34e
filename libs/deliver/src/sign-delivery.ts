import { createHmac } from 'node:crypto';
import type { Secret } from '#secrets';

/** The id and the bytes of a delivery, at the time of an attempt: both are signed. */
export interface Signable {
  /** The id of the delivery, the same at every attempt. */
  id: string;
  /** The body as it is sent. */
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Marks a secret that is the base64 of a key, as Standard Webhooks writes it. */
const encodedKey = 'whsec_';

/**
 * Returns the headers with which a receiver checks a delivery: `x-onefold-signature`, the hex HMAC-SHA256 of the body, and those of
 * Standard Webhooks (https://www.standardwebhooks.com), which sign id and time with the body, against replays.
 * @param alias a further name of the first one, which existing receivers read
 */
export function signDelivery(
  { id, body, at }: Signable,
  secret: Secret,
  alias?: string,
): Record<string, string> {
  const text = secret.reveal();
  const timestamp = String(Math.floor(at / 1_000));
  const key = text.startsWith(encodedKey)
    ? Buffer.from(text.slice(encodedKey.length), 'base64')
    : Buffer.from(text);
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const signature = `sha256=${createHmac('sha256', text).update(body).digest('hex')}`;
  return {
    'x-onefold-signature': signature,
    ...(alias === undefined ? {} : { [alias.toLowerCase()]: signature }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
