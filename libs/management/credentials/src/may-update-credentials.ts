import { type Caller, decide, operationOf, reaches } from '#contract';
import type { Account } from '#store';

/**
 * True for callers who may replace the credentials of an account, or those of the organization without an account.
 * @param domains the domains whose integrations use the credential: callers who are limited to others may not
 */
export function mayUpdateCredentials(
  caller: Caller,
  account: Account | undefined,
  domains: readonly string[] = [],
): boolean {
  const decision = decide(caller, operationOf('credentials_update'));
  if (!decision.allowed) return false;
  const { accounts } = decision;
  if (account === undefined) return accounts === 'all';
  return (
    reaches(accounts, account) && domains.every((domain) => reaches(accounts, account, domain))
  );
}
