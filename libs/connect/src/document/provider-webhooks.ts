import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError, unauthorized } from '#contract';
import { MappingRunError, type Value } from '@onefold/mapping';
import { type CompiledWebhooks, evaluate, textOf } from '#provider-document';
import type { Secret } from '#secrets';
import type { ProviderRecord } from '../provider-record.js';
import type { ProviderOperation, ProviderWebhooks, WebhookMessage } from '../provider.js';

/** A message that was sent longer ago is refused, and so is one from the future. */
const toleranceMs = 5 * 60_000;

/** Makes the webhooks of a provider out of its compiled document. */
export function documentWebhooks(
  compiled: CompiledWebhooks,
  calls: { [Name in 'register' | 'inspect' | 'unregister']?: ProviderOperation },
): ProviderWebhooks {
  const { source } = compiled;
  return {
    events: source.events,
    ...(source.instructions === undefined ? {} : { instructions: source.instructions }),
    calls,
    isSigned: source.signature !== undefined,
    check: (message, secrets, now) => {
      checkSignature(compiled, message, secrets);
      checkTime(compiled, message, now);
    },
    identify: (message) => identify(compiled, message),
    map: (message) => mapMessage(compiled, message),
  };
}

/** @throws ApiError 401 unless one of the secrets signed the message */
function checkSignature(
  compiled: CompiledWebhooks,
  message: WebhookMessage,
  secrets: readonly Secret[],
): void {
  const { signature } = compiled.source;
  if (signature === undefined) return;
  const { header, prefix = '', encoding = 'hex' } = signature;
  const given = message.headers[header];
  if (given === undefined)
    throw unauthorized(
      `the message has no signature: the header ${header} is missing`,
      'Set the secret of the webhook at the provider.',
    );
  const content = signedContent(compiled, message);
  const signatures = given
    .split(',')
    .map((one) => one.trim())
    .flatMap((one) => (one.startsWith(prefix) ? [one.slice(prefix.length)] : []));
  const isSigned = secrets.some((secret) => {
    const expected = createHmac('sha256', secret.reveal()).update(content).digest();
    return signatures.some((one) => isEqual(Buffer.from(one, encoding), expected));
  });
  if (isSigned) return;
  throw unauthorized(
    `the signature in the header ${header} is not that of the message`,
    'The provider has to sign with the secret that the webhook was registered with, or with webhook_config.provider_key.',
  );
}

function signedContent(compiled: CompiledWebhooks, message: WebhookMessage): Uint8Array {
  if (compiled.content === undefined) return message.bytes;
  const place = 'webhooks.signature.content';
  const text = evaluate(compiled.content, inputOf(message), place, message.limits);
  return Buffer.from(textOf(text) ?? '');
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** @throws ApiError 401 for a message that may be a recorded one */
function checkTime({ timestamp, source }: CompiledWebhooks, message: WebhookMessage, now: number) {
  if (timestamp === undefined || source.timestamp === undefined) return;
  const value = evaluate(timestamp, inputOf(message), 'webhooks.timestamp.value', message.limits);
  const sentAt = epochMs(value, source.timestamp.unit);
  if (Math.abs(now - sentAt) <= toleranceMs) return;
  throw unauthorized(
    Number.isNaN(sentAt)
      ? 'the message does not say when it was sent'
      : `the message was sent at ${new Date(sentAt).toISOString()}, which is more than five minutes from now`,
    'Messages are taken in when they are sent. Set the clock of the sender, if it is wrong.',
  );
}

function epochMs(value: Value, unit: 'seconds' | 'milliseconds' | 'date'): number {
  const text = textOf(value) ?? '';
  const ms =
    unit === 'date'
      ? Date.parse(text)
      : text === ''
        ? NaN
        : Number(text) * (unit === 'seconds' ? 1_000 : 1);
  return Math.abs(ms) <= 8.64e15 ? ms : NaN;
}

function identify({ id, source }: CompiledWebhooks, message: WebhookMessage): string | undefined {
  if (source.id === undefined || id === undefined)
    return createHash('sha256').update(message.bytes).digest('hex');
  const value = textOf(evaluate(id, inputOf(message), 'webhooks.id', message.limits));
  return value && createHash('sha256').update(value).digest('hex');
}

function mapMessage(
  { mapping }: CompiledWebhooks,
  message: WebhookMessage,
): ProviderRecord | undefined {
  const { headers, config, limits } = message;
  const body = bodyOf(message);
  const record = isObject(body) ? body : { value: body };
  try {
    return mapping.run(record, {
      metadata: { config, headers: { ...headers }, path: {} },
      ...(limits === undefined ? {} : { limits }),
    })?.record as ProviderRecord | undefined;
  } catch (cause) {
    if (!(cause instanceof MappingRunError)) throw cause;
    throw new ApiError(502, `the mapping of webhook messages failed: ${cause.message}`, {
      remediation: 'The provider sent something that its mapping does not expect.',
      cause,
    });
  }
}

function inputOf(message: WebhookMessage): Value {
  const { headers, bytes, config } = message;
  const text = Buffer.from(bytes).toString();
  return {
    headers: { ...headers },
    text,
    body: JSON.parse(text) as Value,
    config: config as Value,
  };
}

function bodyOf({ bytes }: WebhookMessage): Value {
  return JSON.parse(Buffer.from(bytes).toString()) as Value;
}

function isObject(value: Value): value is ProviderRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
