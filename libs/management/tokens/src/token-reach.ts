import { type Caller, isWithin } from '#contract';
import type { Scope, Token, Transaction } from '#store';
import { permissionsOf } from './token-permissions.js';

/** True for who administers all of the organization. */
export function isAdministrator({ permissions, scope }: Caller): boolean {
  return (
    scope === 'organization' &&
    permissions.some(
      ({ permissionSet, accounts }) => permissionSet === 'administrator' && !accounts,
    )
  );
}

/**
 * Those of the tokens that a caller who is no administrator may see and renew, besides its own: tokens of integrations in
 * accounts it reaches, and tokens of its member or of such accounts that permit nothing the caller may not do itself.
 * Renewing gives out secrets, so whatever is wider stays out of reach, even when the same member made it.
 */
export async function reachable(
  tx: Transaction,
  caller: Caller,
  accounts: Scope['accounts'],
  tokens: readonly Token[],
): Promise<Token[]> {
  const ids = tokens.flatMap(({ accountId }) => accountId ?? []);
  const reached = new Set(
    (await tx.limitedTo(accounts).accounts.byIds([...new Set(ids)])).map(({ id }) => id),
  );
  return tokens.filter((token) => {
    const inAccount = token.accountId !== null && reached.has(token.accountId);
    if (token.ownerType === 'integration') return inAccount;
    const related = inAccount || (caller.memberId !== '' && token.memberId === caller.memberId);
    return related && permissionsOf(token).every((one) => isWithin(one, caller.permissions));
  });
}
