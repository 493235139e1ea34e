import { operationOf } from '#contract';
import type { ManagementContext } from '#management/core';
import { parsePointer, valuesAt } from '#patch';
import type { Integration, Transaction } from '#store';

/** What answers show in place of a secret; sent back, it leaves the secret as it is. */
export const mask = '********';

/** Where the contract marks secrets. Most hold credentials and are gone by now; a few fields are secrets by themselves. */
const patterns = operationOf('integrations_create').secrets.map(
  (pointer) => parsePointer(pointer) ?? [],
);

type Fields = Pick<Integration, 'providerConfig' | 'webhookConfig'>;
interface Sealed {
  $sealed: string;
}

/** The wire names under which the contract's pointers find the fields. */
function wire({ providerConfig, webhookConfig }: Fields): Record<string, unknown> {
  return { provider_config: providerConfig, webhook_config: webhookConfig };
}

/** Fields with every secret sealed; a mask stands for the secret that was stored before at the same place. */
export async function sealFields(
  context: ManagementContext,
  tx: Transaction,
  accountId: string,
  fields: Fields,
  before: Fields | undefined,
): Promise<Fields> {
  const copy = structuredClone(wire(fields));
  const old = before ? wire(before) : {};
  const stored = new Map(
    secretsOf(old).map(({ pointer, value }) => [placeOf(old, pointer), value]),
  );
  for (const { pointer, value } of secretsOf(copy)) {
    if (typeof value !== 'string') continue;
    const known = value === mask ? stored.get(placeOf(copy, pointer)) : undefined;
    put(copy, pointer, known ?? { $sealed: await context.seal(tx, accountId, value) });
  }
  return fromWire(copy);
}

/** Fields as answers show them. */
export function maskFields(fields: Fields): Fields {
  const copy = structuredClone(wire(fields));
  for (const { pointer, value } of secretsOf(copy)) if (isSealed(value)) put(copy, pointer, mask);
  return fromWire(copy);
}

function fromWire(document: Record<string, unknown>): Fields {
  return {
    providerConfig: document['provider_config'] as Fields['providerConfig'],
    webhookConfig: document['webhook_config'],
  };
}

function secretsOf(document: object): { pointer: string; value: unknown }[] {
  return patterns.flatMap((pattern) => valuesAt(document, pattern));
}

/** Names a place whatever its index is: items of a webhook configuration are told apart by their address. */
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
