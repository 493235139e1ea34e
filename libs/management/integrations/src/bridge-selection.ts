import type { ResolvedBridge } from '#bus';
import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import { type Bridge, bridgeAgentQueries, type Integration, type Reader } from '#store';

type Selector = ManagementSchemas['BridgeSelector'];

/**
 * Checks which bridge group of the account an integration selects. A group that is selected by its id or name exists and is stored by
 * its id; one with the labels may be created later. @throws ApiError 400
 */
export async function checkBridgeSelector(
  tx: Reader,
  accountId: string,
  selector: Selector | null | undefined,
): Promise<Selector | null> {
  if (!selector) return null;
  if (selector.type === 'labels') {
    if (selector.value.length > 0) return selector;
    throw fault('/bridge_selector/value', 'must name at least one label', { value: [] });
  }
  const bridge = await tx.bridges.find(selector.value, { accountId });
  if (bridge === undefined)
    throw fault('/bridge_selector/value', 'is not a bridge group of the account', {
      value: selector.value,
      remediation: `GET /v1/bridges/${accountId} lists them.`,
    });
  return { type: 'id', value: bridge.id };
}

/** Finds the bridge groups that an integration selects; undefined if its calls go directly. */
export async function resolveBridge(
  tx: Reader,
  { accountId, bridgeSelector }: Integration,
): Promise<ResolvedBridge | undefined> {
  const selector = bridgeSelector as Selector | null;
  if (!selector) return undefined;
  const found = await selectedBridges(tx, accountId, selector);
  const groups = found.map(({ id }) => id);
  const lastSeen = await bridgeAgentQueries.findLastSeen(tx, groups);
  const selected =
    selector.type === 'id'
      ? `the bridge group "${found[0]?.name ?? selector.value}"`
      : `the bridge groups with the labels ${selector.value.join(', ')}`;
  return { selected, groups, lastSeen: lastSeen?.toISOString() ?? null };
}

async function selectedBridges(
  tx: Reader,
  accountId: string,
  selector: Selector,
): Promise<Bridge[]> {
  if (selector.type === 'id') {
    const bridge = await tx.bridges.find(selector.value, { accountId });
    return bridge === undefined ? [] : [bridge];
  }
  const { value: labels } = selector;
  const all = await tx.bridges.all({ accountId });
  return all
    .filter((one) => labels.every((label) => one.labels?.includes(label)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
