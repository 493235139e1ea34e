import { type Caller, isUnlimited, isWithin } from '#contract';
import type { Reader, Scope, Token } from '#store';
import { permittedByRecord } from './token-permissions.js';

/** True for callers who administer the whole organization. */
export function isAdministrator({ permissions, scope }: Caller): boolean {
  return (
    scope === 'organization' &&
    permissions.some((one) => one.permissionSet === 'administrator' && isUnlimited(one))
  );
}

/**
 * Returns those of the tokens that a caller without the administrator role may see and renew, besides its own: tokens
 * of integrations that it can access, and tokens of its member or of its accounts that permit nothing that the caller
 * may not do itself. Renewing shows new secrets, so wider tokens are excluded even if the same member created them.
 */
export async function reachable(
  tx: Reader,
  caller: Caller,
  accounts: Scope['accounts'],
  tokens: readonly Token[],
): Promise<Token[]> {
  const limited = tx.limitedTo(accounts);
  const inAccounts = await idsOf(limited.accounts, tokens, ({ accountId }) => accountId);
  const integrations = await idsOf(limited.integrations, tokens, ({ ownerId }) => ownerId);
  const found: Token[] = [];
  for (const token of tokens) {
    if (token.ownerType === 'integration') {
      if (integrations.has(token.ownerId)) found.push(token);
      continue;
    }
    const mine = caller.memberId !== '' && token.memberId === caller.memberId;
    const related = mine || (token.accountId !== null && inAccounts.has(token.accountId));
    if (related && (await isNoWider(tx, token, caller))) found.push(token);
  }
  return found;
}

async function idsOf(
  records: Reader['accounts'] | Reader['integrations'],
  tokens: readonly Token[],
  idOf: (token: Token) => string | null,
): Promise<Set<string>> {
  const ids = new Set(tokens.flatMap((token) => idOf(token) ?? []));
  return new Set((await records.byIds([...ids])).map(({ id }) => id));
}

async function isNoWider(tx: Reader, token: Token, caller: Caller): Promise<boolean> {
  const permissions = await permittedByRecord(tx, token);
  return permissions.every((one) => isWithin(one, caller.permissions));
}
