import { randomBytes } from 'node:crypto';
import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import type { EgressPolicy } from '#egress';
import { checkReachableUrl, checkWebhookUrl } from '#management/organization-webhooks';
import { mask } from './sealed-fields.js';

type WebhookConfig = ManagementSchemas['WebhookConfig'];
type Stored = { items: { webhook_url: string; integrator_key?: unknown }[] } | null | undefined;

const maxWebhooks = 100;
const keyBytes = { min: 24, max: 64, generated: 32 };

/** Generated webhook keys, by address of the webhook: only the response that creates a key shows it. */
export type MadeKeys = ReadonlyMap<string, string>;

/**
 * Returns the webhook configuration with a signing key for every webhook: the given one, the previous one, or a random
 * one.
 * @throws ApiError 400 for an invalid address, and for a given key that is too short or too long
 */
export function completeKeys(
  config: WebhookConfig | null | undefined,
  before: unknown,
): { config: WebhookConfig | null; made: MadeKeys } {
  const made = new Map<string, string>();
  if (!config) return { config: null, made };
  if (config.items.length > maxWebhooks)
    throw fault('/webhook_config/items', `has ${config.items.length} webhooks`, {
      remediation: `Send at most ${maxWebhooks}.`,
    });
  const known = new Set(
    (before as Stored)?.items
      .filter((item) => item.integrator_key !== undefined)
      .map((item) => item.webhook_url),
  );
  const items = config.items.map((item, index) => {
    const { webhook_url: url, integrator_key: given } = item;
    checkWebhookUrl(url, `/webhook_config/items/${index}/webhook_url`);
    if (typeof given === 'string' && !(given === mask && known.has(url))) checkKey(given, index);
    if (typeof given === 'string') return item;
    if (known.has(url)) return { ...item, integrator_key: mask };
    const key = made.get(url) ?? randomBytes(keyBytes.generated).toString('base64url');
    made.set(url, key);
    return { ...item, integrator_key: key };
  });
  return { config: { ...config, items }, made };
}

/** Returns the addresses of a stored webhook configuration. */
export function urlsOf(config: unknown): string[] {
  return ((config as Stored)?.items ?? []).map((item) => item.webhook_url);
}

/**
 * Checks that messages can be sent to the addresses that are new in a webhook configuration. Every delivery is checked again.
 * @throws ApiError 400
 */
export async function checkReachable(
  egress: EgressPolicy,
  config: WebhookConfig | null,
  before: unknown,
): Promise<void> {
  const known = new Set(urlsOf(before));
  await Promise.all(
    (config?.items ?? []).map(async ({ webhook_url: url }, index) => {
      if (!known.has(url))
        await checkReachableUrl(egress, url, `/webhook_config/items/${index}/webhook_url`);
    }),
  );
}

/** Adds the generated keys to a response. */
export function showMade<T extends { webhook_config?: WebhookConfig | null }>(
  answer: T,
  made: MadeKeys,
): T {
  const config = answer.webhook_config;
  if (!config || made.size === 0) return answer;
  const items = config.items.map((item) => {
    const key = made.get(item.webhook_url);
    return key === undefined ? item : { ...item, integrator_key: key };
  });
  return { ...answer, webhook_config: { ...config, items } };
}

function checkKey(key: string, index: number): void {
  const bytes = Buffer.byteLength(key);
  if (bytes < keyBytes.min || bytes > keyBytes.max)
    throw fault(`/webhook_config/items/${index}/integrator_key`, `has ${bytes} bytes`, {
      remediation: `Use ${keyBytes.min} to ${keyBytes.max}, or leave it out to have one made.`,
    });
}
