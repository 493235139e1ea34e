import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import type { Transaction } from '#store';

type Resources = ManagementSchemas['Resources'];

/** Maximum number of values in a list of resources. */
const maxValues = 1_000;

/**
 * Returns the resources of a request with ids in place of names, so that a later change of a name does not move a
 * permission.
 * @throws ApiError 400 that points at unknown names
 */
export async function resolveResources(
  tx: Transaction,
  resources: Resources,
): Promise<Record<string, unknown>> {
  const { organizations, accounts, integrations } = resources;
  for (const [pointer, list] of [
    ['organizations/ids', organizations?.ids],
    ['accounts/ids', accounts?.ids],
    ['accounts/labels', accounts?.labels],
    ['integrations/categories', integrations?.categories],
  ] as const)
    if ((list?.length ?? 0) > maxValues)
      throw fault(`/resources/${pointer}`, `has ${list?.length} values`, {
        remediation: `Send at most ${maxValues}.`,
      });
  return {
    ...(organizations ? { organizations: await organizationIds(tx, organizations) } : {}),
    ...(accounts ? { accounts: { ...accounts, ids: await accountIds(tx, accounts.ids) } } : {}),
    ...(integrations ? { integrations } : {}),
  };
}

async function organizationIds(
  tx: Transaction,
  organizations: NonNullable<Resources['organizations']>,
): Promise<{ ids: string[] }> {
  const own = await tx.organization();
  if (organizations.labels)
    throw fault('/resources/organizations/labels', 'is not allowed: organizations have no labels', {
      remediation: 'Leave it out; accounts have labels.',
    });
  const ids = organizations.ids.map((wanted, index) => {
    if (wanted === '*') return wanted;
    if (wanted === own.id || wanted === own.name) return own.id;
    throw fault(`/resources/organizations/ids/${index}`, 'is not the organization of the token', {
      value: wanted,
      remediation: `Write ${own.id}, or *.`,
    });
  });
  return { ids };
}

async function accountIds(tx: Transaction, wanted: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, one] of wanted.entries()) {
    const account = one === '*' ? { id: '*' } : await tx.accounts.find(one);
    if (account === undefined)
      throw fault(`/resources/accounts/ids/${index}`, 'is not an account', {
        value: one,
        remediation: 'Use an id or name of GET /v1/accounts, or *.',
      });
    ids.push(account.id);
  }
  return ids;
}
