import { conflict } from '#contract';
import { type Bridge, bridgeQueries, integrationQueries, type Transaction } from '#store';

const maxNamed = 10;

/**
 * Refuses to delete a bridge group while integrations select it by its id, which no other group can have. Labels can: clients replace a group
 * by deleting it and creating another one with its name and labels.
 * @throws ApiError 409 that names up to ten of them
 */
export async function refuseWhenUsed(tx: Transaction, bridge: Bridge): Promise<void> {
  await refuseFor(
    await integrationQueries.listUsersOfBridge(tx, bridge),
    tx,
    'Let them select another group with bridge_selector first, or delete it with force=true: their calls get 503 then.',
  );
}

/**
 * Refuses to take labels from a bridge group that integrations select, if no other group of the account has them.
 * @throws ApiError 409 that names up to ten of them
 */
export async function refuseWhenSelected(
  tx: Transaction,
  bridge: Bridge,
  remaining: readonly string[],
): Promise<void> {
  if ((bridge.labels ?? []).every((label) => remaining.includes(label))) return;
  await refuseFor(
    await findLosers(tx, bridge, remaining),
    tx,
    'Let them select other labels with bridge_selector first, give the labels to another group, or take them away with force=true: their calls get 503 then.',
  );
}

type User = Readonly<integrationQueries.NamedIntegration>;

async function refuseFor(
  users: readonly User[],
  tx: Transaction,
  remediation: string,
): Promise<void> {
  if (users.length === 0) return;
  // The caller may be limited to integrations of some domains: the others are counted without their names.
  const known = new Set(
    (await tx.integrations.byIds(users.map(({ id }) => id))).map(({ id }) => id),
  );
  const named = users.filter(({ id }) => known.has(id)).slice(0, maxNamed);
  throw conflict(
    `the bridge group is used by ${describe(named, users.length - named.length)}`,
    remediation,
  );
}

/** Finds the integrations that are left without a group that has their labels. */
async function findLosers(
  tx: Transaction,
  { id, accountId, labels }: Bridge,
  remaining: readonly string[],
): Promise<User[]> {
  // Two groups that are changed at once would each count on the other.
  await bridgeQueries.lockLabels(tx, accountId);
  const bridge = { id, accountId, labels: labels ?? [] };
  return await integrationQueries.listLosersOfLabels(tx, bridge, remaining);
}

function describe(named: readonly User[], others: number): string {
  const names = named.map(({ name }) => `"${name}"`).join(', ');
  if (named.length === 0) return `${count(others, 'integration')} that the token cannot access`;
  const rest = others === 0 ? '' : ` and ${count(others, 'other')}`;
  return `the ${named.length + others === 1 ? 'integration' : 'integrations'} ${names}${rest}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
