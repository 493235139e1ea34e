import { randomBytes } from 'node:crypto';
import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import { checkWebhookUrl } from '#management/organization-webhooks';
import { mask } from './sealed-fields.js';

type WebhookConfig = ManagementSchemas['WebhookConfig'];
type Stored = { items: { webhook_url: string; integrator_key?: unknown }[] } | null | undefined;

const mostWebhooks = 100;
const keyBytes = { least: 24, most: 64, made: 32 };

/** Keys that were made for webhooks, by their address: the answer that makes one is the only one that shows it. */
export type MadeKeys = ReadonlyMap<string, string>;

/**
 * A webhook configuration in which every webhook has the key its messages are signed with: the given one, the one it had, or a
 * random one. @throws ApiError 400 for an address that is none, and a given key that is too short or too long
 */
export function completeKeys(
  config: WebhookConfig | null | undefined,
  before: unknown,
): { config: WebhookConfig | null; made: MadeKeys } {
  const made = new Map<string, string>();
  if (!config) return { config: null, made };
  if (config.items.length > mostWebhooks)
    throw fault('/webhook_config/items', `has ${config.items.length} webhooks`, {
      remediation: `Send at most ${mostWebhooks}.`,
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
    const key = made.get(url) ?? randomBytes(keyBytes.made).toString('base64url');
    made.set(url, key);
    return { ...item, integrator_key: key };
  });
  return { config: { ...config, items }, made };
}

/** An answer with the keys that were made for it. */
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
  if (bytes < keyBytes.least || bytes > keyBytes.most)
    throw fault(`/webhook_config/items/${index}/integrator_key`, `has ${bytes} bytes`, {
      remediation: `Use ${keyBytes.least} to ${keyBytes.most}, or leave it out to have one made.`,
    });
}
