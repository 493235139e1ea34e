import { createHash } from 'node:crypto';
import { ApiError, isForm, payloadOf, readForm, unauthorized } from '#contract';
import { parseTime } from '#egress';
import { MappingRunError, parseJson, type Value } from '@onefold/mapping';
import { type CompiledWebhooks, evaluate, textOf } from '#provider-document';
import type { Secret } from '#secrets';
import type { ProviderRecord } from '../provider-record.js';
import type { ProviderOperation, ProviderWebhooks, WebhookMessage } from '../provider.js';
import { isSigned } from './webhook-signature.js';

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
    signsAddress: String(source.signature?.content ?? '').includes('this.url'),
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
  { source: { signature }, content }: CompiledWebhooks,
  message: WebhookMessage,
  secrets: readonly Secret[],
): void {
  if (signature === undefined) return;
  const given = message.headers[signature.header];
  if (given === undefined)
    throw unauthorized(
      `the message has no signature: the header ${signature.header} is missing`,
      'Set the secret of the webhook at the provider.',
    );
  const place = 'webhooks.signature.content';
  const text = content && evaluate(content, inputOf(message), place, message.limits);
  const signed = content === undefined ? message.bytes : Buffer.from(textOf(text) ?? '');
  if (isSigned(given, signed, signature, secrets)) return;
  throw unauthorized(
    `the signature in the header ${signature.header} is not that of the message`,
    'The provider has to sign with the secret that the webhook was registered with, or with webhook_config.provider_key.',
  );
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

/** Reads when a message was sent; NaN for what is not a time. */
function epochMs(value: Value, unit: 'seconds' | 'milliseconds' | 'date' | undefined): number {
  const text = (textOf(value) ?? '').trim();
  const isNumber = /^\d{1,20}(\.\d{1,9})?$/.test(text);
  if (unit === 'date' || !isNumber)
    return (unit ?? 'date') === 'date' ? (parseTime(text) ?? NaN) : NaN;
  const ms =
    Number(text) * (unit === undefined ? factorOf(Number(text)) : unit === 'seconds' ? 1_000 : 1);
  return ms <= 8.64e15 ? ms : NaN;
}

/** The milliseconds of a unit that a time of these years is told in: from seconds to nanoseconds, each number is a thousand times the one before. */
function factorOf(value: number): number {
  if (value < 1e11) return 1_000;
  if (value < 1e14) return 1;
  return value < 1e17 ? 1e-3 : 1e-6;
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
  const body = readBody(Buffer.from(message.bytes).toString(), headers);
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
  const { headers, bytes, url, config } = message;
  const text = Buffer.from(bytes).toString();
  return {
    headers: { ...headers },
    text,
    body: readBody(text, headers),
    url,
    config: config as Value,
  };
}

/** The body with all digits of its numbers, as in the lists of the provider; of a form its JSON, or its fields. */
function readBody(text: string, headers: WebhookMessage['headers']): Value {
  if (!isForm(headers['content-type'])) return parseJson(text);
  const fields = readForm(text);
  const payload = payloadOf(fields);
  return payload === undefined ? fields : parseJson(payload);
}

function isObject(value: Value): value is ProviderRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
