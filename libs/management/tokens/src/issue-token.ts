import { chooseNames, type ManagementContext } from '#management/core';
import { kinds, type Token, tokenQueries, type Transaction } from '#store';
import { earlier } from './token-lifetime.js';
import { kindOf, mintPair, type PairSecrets, recordExpiry } from './token-record.js';

/** Settings of a new token. */
export interface NewToken {
  ownerId: string;
  ownerType: Token['ownerType'];
  memberId: string | null;
  accountId?: string;
  name?: string | null | undefined;
  fullname?: string | null | undefined;
  tokenType: Token['tokenType'];
  ttl: { text: string; milliseconds: number };
  /**
   * When the token that creates it expires, see `endOfMaker`; null if no token creates it, and for an integration's own
   * pair.
   */
  endsBy: Date | null;
  adhocRole?: Token['adhocRole'];
  roleBinding?: string[];
  /** Without a refresh secret the record expires with its access secret. */
  accessOnly?: boolean;
  /** Takes in messages of the integration's provider, and does nothing else. */
  hookOnly?: boolean;
  /** Valid for the MCP endpoint only. */
  mcpScope?: Token['mcpScope'];
  /** The Connect session that the token is for. */
  connectSession?: Token['connectSession'];
  /** True for a session. */
  signedInBy?: Token['signedInBy'];
  /** The record's id, if another record contains it already. */
  id?: string;
}

/** Issues a token inside a transaction. */
export async function issueToken(
  context: ManagementContext,
  tx: Transaction,
  wanted: NewToken,
): Promise<{ token: Token; secrets: PairSecrets }> {
  const id = wanted.id ?? context.ids.next(kinds.tokens);
  const now = context.clock.now();
  const names = chooseNames(wanted, id);
  const mcpScope = wanted.mcpScope ?? null;
  const kind = kindOf({ mcpScope, ownerType: wanted.ownerType });
  const accessOnly = wanted.accessOnly ?? false;
  const { endsBy } = wanted;
  const accessExpires = earlier(new Date(now + wanted.ttl.milliseconds), endsBy);
  const { stored, secrets } = mintPair(kind, accessExpires);
  const token = {
    id,
    organizationId: tx.scope.organizationId,
    name: names.derived ? await tx.tokens.freeName(names.name) : names.name,
    fullname: names.fullname,
    createdAt: new Date(now),
    updatedAt: new Date(now),
    ownerId: wanted.ownerId,
    ownerType: wanted.ownerType,
    memberId: wanted.memberId,
    accountId: wanted.accountId ?? null,
    tokenType: wanted.tokenType,
    tokenTtl: wanted.ttl.text,
    expires: accessOnly
      ? accessExpires
      : earlier(recordExpiry(wanted.tokenType, now, wanted.ttl.milliseconds), endsBy),
    endsBy,
    adhocRole: wanted.adhocRole ?? null,
    roleBinding: wanted.roleBinding ?? [],
    primaryPair: stored,
    secondaryPair: null,
    accessOnly,
    hookOnly: wanted.hookOnly ?? false,
    mcpScope,
    connectSession: wanted.connectSession ?? null,
    renewal: null,
    signedInBy: wanted.signedInBy ?? null,
  } satisfies Token;
  await tx.tokens.insert(token);
  await rememberSecrets(
    tx,
    token,
    accessOnly ? { access: secrets.access } : secrets,
    new Date(now),
  );
  return { token, secrets };
}

/** Stores the hashes of the token's secrets, and marks secrets that are no longer in a slot as spent. */
export async function rememberSecrets(
  tx: Transaction,
  token: Token,
  { access, refresh }: { access?: string; refresh?: string },
  now: Date,
): Promise<void> {
  const { accessHash, refreshHash } = token.primaryPair;
  const tokenId = token.id;
  if (access !== undefined)
    await tokenQueries.insertSecret(tx, { hash: accessHash, tokenId, kind: 'access', now });
  if (refresh !== undefined)
    await tokenQueries.insertSecret(tx, { hash: refreshHash, tokenId, kind: 'refresh', now });
  await spendSecrets(tx, token, now);
}

/**
 * Marks secrets that are in no slot any longer as spent; they are remembered for a while, to detect that they are used
 * again.
 */
export async function spendSecrets(tx: Transaction, token: Token, now: Date): Promise<void> {
  const inUse = [token.primaryPair, token.secondaryPair].flatMap((pair) =>
    pair ? [pair.accessHash, pair.refreshHash] : [],
  );
  await tokenQueries.spendSecrets(tx, token.id, inUse, now);
}
