import { operationOf } from '#contract';
import type { ManagementContext } from '#management/core';
import { parsePointer, valuesAt } from '#patch';
import type { Integration, KeyOwner, Transaction } from '#store';

/** Shown in responses in place of a secret; if it is sent back, the secret is kept. */
export const mask = '********';

/**
 * Pointers to the fields that the contract marks as secrets. Most contain credentials and are replaced before this; a
 * few are secrets themselves.
 */
const patterns = operationOf('integrations_create').secrets.map(
  (pointer) => parsePointer(pointer) ?? [],
);

type Fields = Pick<Integration, 'providerConfig' | 'webhookConfig'>;
interface Sealed {
  $sealed: string;
}

/** The wire names that the contract's pointers use. */
function toWireNames({ providerConfig, webhookConfig }: Fields): Record<string, unknown> {
  return { provider_config: providerConfig, webhook_config: webhookConfig };
}

/** Encrypts every secret of the fields for the domain of the integration, whose connectors read them; a mask keeps the secret that was stored at the same place. */
export async function sealFields(
  context: ManagementContext,
  tx: Transaction,
  owner: KeyOwner,
  fields: Fields,
  before: Fields | undefined,
): Promise<Fields> {
  const copy = structuredClone(toWireNames(fields));
  const old = before ? toWireNames(before) : {};
  const stored = new Map(
    secretsOf(old).map(({ pointer, value }) => [placeOf(old, pointer), value]),
  );
  for (const { pointer, value } of secretsOf(copy)) {
    if (typeof value !== 'string') continue;
    const known = value === mask ? stored.get(placeOf(copy, pointer)) : undefined;
    put(copy, pointer, known ?? { $sealed: await context.seal(tx, owner, value) });
  }
  return fromWireNames(copy);
}

/** Masks the secrets of the fields for a response. */
export function maskFields(fields: Fields): Fields {
  const copy = structuredClone(toWireNames(fields));
  for (const { pointer, value } of secretsOf(copy)) if (isSealed(value)) put(copy, pointer, mask);
  return fromWireNames(copy);
}

function fromWireNames(document: Record<string, unknown>): Fields {
  return {
    providerConfig: document['provider_config'] as Fields['providerConfig'],
    webhookConfig: document['webhook_config'],
  };
}

function secretsOf(document: object): { pointer: string; value: unknown }[] {
  return patterns.flatMap((pattern) => valuesAt(document, pattern));
}

/** Names a place independently of its index: items of a webhook configuration are identified by their address. */
function placeOf(document: object, pointer: string): string {
  const [parent] = valuesAt(document, (parsePointer(pointer) ?? []).slice(0, -1));
  const url = (parent?.value as { webhook_url?: unknown } | undefined)?.webhook_url;
  return typeof url === 'string' ? `${pointer.replace(/\/\d+\//g, '/*/')} ${url}` : pointer;
}

function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$sealed');
}

function put(document: object, pointer: string, value: unknown): void {
  const path = parsePointer(pointer) ?? [];
  const last = path.pop() ?? '';
  const parent = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  (parent as Record<string, unknown>)[last] = value;
}
