import type { BudgetStatus } from './permits.js';

/**
 * Tells budgets of the provider in the fields of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` has each budget, `RateLimit` the
 * caller's share of what is left of the one that is nearest to its end.
 */
export function rateLimitHeaders(budgets: readonly BudgetStatus[]): Record<string, string> {
  const [first, ...rest] = budgets;
  if (first === undefined) return {};
  const scarcest = rest.reduce(
    (found, one) => (partLeft(one) < partLeft(found) ? one : found),
    first,
  );
  const { left, resetMs } = scarcest;
  const reset = resetMs > 0 ? `;t=${Math.ceil(resetMs / 1000)}` : '';
  return {
    'ratelimit-policy': budgets.map(policyOf).join(', '),
    ratelimit: `"${nameOf(scarcest)}";r=${left}${reset}`,
  };
}

/** @returns such as `10 calls in 1 s` */
export function describeBudget({ name, requests, periodMs }: BudgetStatus): string {
  const calls = `${requests} ${requests === 1 ? 'call' : 'calls'}`;
  if (periodMs === 0) return `${calls} at the same time`;
  return `${calls} in ${periodMs / 1000} s${name === undefined ? '' : ` (${name})`}`;
}

function policyOf(budget: BudgetStatus): string {
  const { requests, periodMs } = budget;
  const unit = periodMs === 0 ? ';qu="concurrent-requests"' : `;w=${Math.ceil(periodMs / 1000)}`;
  return `"${nameOf(budget)}";q=${requests}${unit}`;
}

/** Names of budgets in documents have only letters, digits and underscores. */
function nameOf({ name }: BudgetStatus): string {
  return name === undefined ? 'provider' : `provider-${name}`;
}

function partLeft({ left, requests }: BudgetStatus): number {
  return left / requests;
}
