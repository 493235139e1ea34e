import { type AccountLimit, ApiError, type Caller, decide, type Operation } from '#contract';
import { ownAccountId } from './own-account.js';

/** The records that a transaction may access. No query of a tenant's records runs without one. */
export interface Scope {
  organizationId: string;
  /** The accounts of the organization that may be accessed. */
  accounts: 'all' | readonly AccountLimit[];
  /**
   * The organization's own account and its integration points: hidden from callers, and the only ones for callers whose token names the
   * account. Work without a caller can access them like the others.
   */
  own?: 'hidden' | 'only';
}

/** The scope in which a caller runs an operation. @throws ApiError 403 when the caller may not run it. */
export function scopeOf(caller: Caller, operation: Operation): Scope {
  const decision = decide(caller, operation);
  if (!decision.allowed)
    throw new ApiError(403, `the token does not permit ${operation.id}`, {
      remediation: 'Use a token whose role or permission set allows it.',
    });
  const { organizationId } = caller;
  const { accounts } = decision;
  const ownId = ownAccountId(organizationId);
  const isOwn = accounts !== 'all' && accounts.some(({ ids }) => ids.includes(ownId));
  return { organizationId, accounts, own: isOwn ? 'only' : 'hidden' };
}

/** All of an organization, for work without a caller. */
export function wholeOrganization(organizationId: string): Scope {
  return { organizationId, accounts: 'all' };
}
