import type { AccountLimit } from '#contract';
import { ownAccountId } from './own-account.js';
import type { Scope } from './scope.js';

/** A part of a statement, and its named parameters. */
export interface Condition {
  condition: string;
  values: Record<string, unknown>;
}

/** A condition on the accounts `a` that pass one of the limits. */
export function limitCondition(limits: readonly AccountLimit[], category?: string): Condition {
  const values: Record<string, unknown> = {};
  const parts = limits.map(({ ids, labels, environments, categories }, index) => {
    const tests = ['true'];
    if (!ids.includes('*')) tests.push(`a.id = any(:limit_ids_${index})`);
    if (labels) tests.push(labelled('a.id', `:limit_labels_${index}`));
    if (environments) tests.push(`a.environment = any(:limit_environments_${index})`);
    if (categories && category)
      tests.push(`coalesce(${category} = any(:limit_categories_${index}), true)`);
    values[`limit_categories_${index}`] = categories ?? [];
    values[`limit_ids_${index}`] = ids;
    values[`limit_labels_${index}`] = labels ?? [];
    values[`limit_environments_${index}`] = environments ?? [];
    return `(${tests.join(' and ')})`;
  });
  return { condition: parts.length === 0 ? 'false' : parts.join(' or '), values };
}

/** A condition on rows with the account in `account`, as far as the scope reaches. */
export function reachCondition(
  { accounts, organizationId, own }: Scope,
  { account, category }: { account: string; category?: string | undefined },
): Condition {
  const hidden = own === 'hidden' ? `${account} is distinct from :own_account` : 'true';
  const ownValues = own === 'hidden' ? { own_account: ownAccountId(organizationId) } : {};
  if (accounts === 'all') return { condition: hidden, values: ownValues };
  const { condition, values } = limitCondition(accounts, category);
  return {
    condition: `${hidden} and exists (select 1 from accounts a where a.id = ${account} and (${condition}))`,
    values: { ...values, ...ownValues },
  };
}

/**
 * Accounts with one of some labels. Behind row-level security PostgreSQL uses an index for equal values but not for overlapping
 * arrays, because that function is not leakproof and must not see rows before their policy.
 */
export function labelled(account: string, labels: string): string {
  return `${account} in (select l.account_id from account_labels l where l.label = any(${labels}))`;
}
