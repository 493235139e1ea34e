import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  type Call,
  type Caller,
  forbidden,
  isWithin,
  notFound,
  type OperationId,
  parseDuration,
  type Reply,
} from '#contract';
import { fault, ManagementContext, readDuration } from '#management/core';
import {
  kinds,
  listQuery,
  type Reader,
  type Token,
  type Transaction,
  wholeOrganization,
} from '#store';
import { issueToken, rememberSecrets, spendSecrets } from './issue-token.js';
import { remember, repeatRenewal } from './renewals.js';
import { resolveResources } from './resources.js';
import { earlier, endOfMaker, endOfReset } from './token-lifetime.js';
import { adhocPermission } from './token-permissions.js';
import { isAdministrator, reachable } from './token-reach.js';
import {
  kindOf,
  mintPair,
  type PairSecrets,
  pairView,
  recordExpiry,
  tokenView,
  ttlBounds,
} from './token-record.js';

type TokenCall = { caller: Caller; operation: OperationId };

/** `/v1/tokens`: creating, renewing and revoking tokens. */
@Controller()
export class TokensHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('tokens_list')
  async list(call: Call<'tokens_list'>): Promise<Reply<'tokens_list'>> {
    const query = listQuery(call.query, kinds.tokens.fields);
    const { caller } = call;
    const { rows } = await this.context.store.read(this.scope(call), async (tx) => {
      if (isAdministrator(caller)) return await tx.tokens.list(query);
      const { accounts } = this.context.scope(call);
      const mine = await tx.tokens.all({ memberId: caller.memberId });
      const reached = await reachable(tx, caller, accounts, mine);
      return await tx.tokens.list(
        query,
        {},
        reached.map(({ id }) => id),
      );
    });
    return { result: rows.map((token) => tokenView(token)) };
  }

  @Handles('tokens_get')
  async get(call: Call<'tokens_get'>): Promise<Reply<'tokens_get'>> {
    return await this.context.store.read(this.scope(call), async (tx) => ({
      result: tokenView(await this.reach(tx, call, call.path.refreshTokenId)),
    }));
  }

  @Handles('tokens_create_token')
  async create(call: Call<'tokens_create_token'>): Promise<Reply<'tokens_create_token'>> {
    const { body, caller } = call;
    return await this.context.create(call, async (tx) => {
      const ttl = readDuration(body.token_ttl, '/token_ttl', ttlBounds.token);
      const resources = await resolveResources(tx, body.resources);
      const adhocRole = { resources, permission_set: body.permission_set };
      if (!isWithin(adhocPermission(adhocRole), caller.permissions))
        throw forbidden(
          'the token would permit more than the token that creates it',
          'Choose resources and a permission set that the calling token has.',
        );
      const { token, secrets } = await issueToken(this.context, tx, {
        ownerId: caller.organizationId,
        ownerType: 'organization',
        memberId: caller.memberId,
        name: body.name,
        fullname: body.fullname,
        tokenType: 'adhoc',
        ttl,
        endsBy: await endOfMaker(tx, caller),
        adhocRole,
      });
      return { result: tokenView(token, secrets) };
    });
  }

  @Handles('tokens_create_integration_token')
  async createIntegrationToken(
    call: Call<'tokens_create_integration_token'>,
  ): Promise<Reply<'tokens_create_integration_token'>> {
    const { caller, path } = call;
    const body = call.body ?? {};
    return await this.context.create(call, async (tx) => {
      const account = await tx.accounts.get(path.accountId);
      const integration = await tx.integrations.get(path.integrationId, { accountId: account.id });
      const { token, secrets } = await issueToken(this.context, tx, {
        ownerId: integration.id,
        ownerType: 'integration',
        memberId: caller.memberId,
        accountId: account.id,
        name: body.name,
        tokenType: 'adhoc',
        ttl: readDuration(body.token_ttl, '/token_ttl', ttlBounds.integration),
        endsBy: await endOfMaker(tx, caller),
        ...(body.permission_set
          ? { adhocRole: { resources: {}, permission_set: body.permission_set } }
          : {}),
        accessOnly: true,
      });
      return { result: pairView(token, token.primaryPair, secrets).access };
    });
  }

  /** Creates a new primary pair; the old one becomes the secondary and stays valid, for clients that retry. */
  @Handles('tokens_refresh')
  async refresh(call: Call<'tokens_refresh'>): Promise<Reply<'tokens_refresh'>> {
    return await this.change(call, call.path.refreshTokenId, async (tx, token) => {
      token.secondaryPair = token.primaryPair;
      return await this.renew(tx, call.caller, token);
    });
  }

  /** Like refresh, by an administrator: the previous secondary pair is revoked. */
  @Handles('tokens_rotate')
  async rotate(call: Call<'tokens_rotate'>): Promise<Reply<'tokens_rotate'>> {
    return await this.change(call, call.path.refreshTokenId, async (tx, token) => {
      this.checkOwner(token, call.path.ownerId);
      if (!isAdministrator(call.caller))
        throw forbidden(
          'only an administrator can rotate tokens',
          "Use an administrator's token, or refresh with the pair's own refresh secret.",
        );
      token.secondaryPair = token.primaryPair;
      return await this.renew(tx, call.caller, token);
    });
  }

  /** Replaces both pairs and the expiry; all earlier secrets are revoked. */
  @Handles('tokens_reset')
  async reset(call: Call<'tokens_reset'>): Promise<Reply<'tokens_reset'>> {
    return await this.change(call, call.path.refreshTokenId, async (tx, token) => {
      this.checkOwner(token, call.path.ownerId);
      token.secondaryPair = null;
      token.endsBy = await endOfReset(tx, call.caller, token);
      const now = this.context.clock.now();
      token.expires = earlier(recordExpiry(token.tokenType, now, ttlOf(token)), token.endsBy);
      return await this.renew(tx, call.caller, token);
    });
  }

  @Handles('tokens_remove_secondary')
  async removeSecondary(
    call: Call<'tokens_remove_secondary'>,
  ): Promise<Reply<'tokens_remove_secondary'>> {
    await this.context.store.write(this.scope(call), async (tx) => {
      const token = await this.reach(tx, call, call.path.refreshTokenId, true);
      const updatedAt = this.context.now();
      const kept = { ...token, secondaryPair: null, renewal: null, updatedAt };
      await tx.tokens.save(kept);
      await spendSecrets(tx, kept, updatedAt);
    });
    return undefined as Reply<'tokens_remove_secondary'>;
  }

  @Handles('tokens_delete')
  async delete(call: Call<'tokens_delete'>): Promise<Reply<'tokens_delete'>> {
    await this.context.store.write(this.scope(call), async (tx) => {
      const token = await this.reach(tx, call, call.path.refreshTokenId, true);
      await tx.tokens.delete(token);
    });
    return undefined as Reply<'tokens_delete'>;
  }

  private async change(
    call: Call<'tokens_refresh'> | Call<'tokens_rotate'> | Call<'tokens_reset'>,
    idOrName: string,
    work: (tx: Transaction, token: Token) => Promise<PairSecrets>,
  ): Promise<{ result: ReturnType<typeof tokenView> }> {
    return await this.context.store.write(this.scope(call), async (tx) => {
      const token = await this.reach(tx, call, idOrName, true);
      if (token.accessOnly)
        throw fault('', 'the token has no refresh secret and cannot be renewed', {
          remediation: 'Create another one.',
        });
      const secrets = repeatRenewal(this.context, call.caller, token) ?? (await work(tx, token));
      return { result: tokenView(token, secrets) };
    });
  }

  private async renew(tx: Transaction, caller: Caller, token: Token): Promise<PairSecrets> {
    const now = this.context.clock.now();
    // Refreshing does not extend the record, and no access secret expires later than it.
    const accessExpires = earlier(new Date(now + ttlOf(token)), token.expires);
    const { stored, secrets } = mintPair(kindOf(token), accessExpires);
    token.primaryPair = stored;
    token.renewal = await remember(this.context, tx, caller, token, secrets);
    token.updatedAt = new Date(now);
    await tx.tokens.save(token);
    await rememberSecrets(tx, token, secrets, token.updatedAt);
    return secrets;
  }

  /**
   * Returns a token that the caller may access: any as an administrator, otherwise its own and those of {@link
   * reachable}.
   * @throws ApiError 404
   */
  private async reach(tx: Reader, call: TokenCall, idOrName: string, lock = false): Promise<Token> {
    const { caller } = call;
    const token = lock ? await tx.tokens.getLocked(idOrName) : await tx.tokens.get(idOrName);
    if (token.id === caller.tokenId) return token;
    if (caller.refreshOnly || caller.scope !== 'organization') throw notFound('token', idOrName);
    if (isAdministrator(caller)) return token;
    const { accounts } = this.context.scope(call);
    const [touchable] = await reachable(tx, caller, accounts, [token]);
    if (touchable === undefined) throw notFound('token', idOrName);
    return touchable;
  }

  /** Limits the search to the organization; {@link reach} decides who may access which token. */
  private scope({ caller }: { caller: Caller }) {
    return wholeOrganization(caller.organizationId);
  }

  private checkOwner(token: Token, ownerId: string): void {
    if (token.ownerId !== ownerId) throw notFound('token', `${ownerId}/${token.id}`);
  }
}

function ttlOf({ id, tokenTtl }: Token): number {
  const milliseconds = parseDuration(tokenTtl);
  if (milliseconds === undefined)
    throw new Error(`the token ${id} has an invalid duration: "${tokenTtl}"`);
  return milliseconds;
}
