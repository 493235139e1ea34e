import { type Caller, decide, operationOf, reaches } from '#contract';
import type { Account } from '#store';

/** True for callers who may replace the credentials of an account, or those of the organization without an account. */
export function mayUpdateCredentials(caller: Caller, account: Account | undefined): boolean {
  const decision = decide(caller, operationOf('credentials_update'));
  if (!decision.allowed) return false;
  return account === undefined ? decision.accounts === 'all' : reaches(decision.accounts, account);
}
