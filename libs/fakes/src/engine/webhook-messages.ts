import { createHmac } from 'node:crypto';
import { formatJson, type Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Route } from '../document/fake-document.js';
import type { WebhookMessage } from './messages.js';
import type { RequestScope } from './request-scope.js';

type Json = Record<string, Value>;

/** Returns the webhook messages that a request causes. @throws ExpressionFailure */
export function webhookMessages({ messages }: Route, scope: RequestScope): WebhookMessage[] {
  const made = messages?.value(scope) ?? [];
  const place = messages?.place ?? '';
  if (!Array.isArray(made)) throw new ExpressionFailure(place, 'it is not a list');
  return made.map((one) => messageOf(one as Json, place));
}

function messageOf({ url, headers, body, sign }: Json, place: string): WebhookMessage {
  if (typeof url !== 'string') throw new ExpressionFailure(place, 'a message has no url');
  const bytes = Buffer.from(formatJson(body ?? null));
  return {
    url,
    headers: {
      'content-type': 'application/json',
      ...(headers as Record<string, string> | undefined),
      ...signatureOf(sign as Record<string, string> | null | undefined, bytes),
    },
    body: bytes,
  };
}

function signatureOf(
  sign: Record<string, string> | null | undefined,
  bytes: Uint8Array,
): Record<string, string> {
  if (!sign) return {};
  const { secret = '', header = '', prefix = '' } = sign;
  return { [header]: `${prefix}${createHmac('sha256', secret).update(bytes).digest('hex')}` };
}
