import { Controller, Logger } from '@nestjs/common';
import { type Introspection, Serves } from '#bus';
import type { Caller } from '#contract';
import { ManagementContext } from '#management/shared';
import { type Organization, type Token, type Transaction, wholeOrganization } from '#store';
import { permissionsOf } from './token-permissions.js';
import { isExpired } from './token-record.js';

const log = new Logger('tokens');

/** Says of a secret who calls with it. */
@Controller()
export class TokenIntrospection {
  constructor(private readonly context: ManagementContext) {}

  @Serves('tokens.introspect')
  async introspect({ hash }: { hash: string }): Promise<Introspection | null> {
    const organizationId = await this.context.store.organizationOfSecret(hash);
    if (organizationId === undefined) return null;
    return await this.context.store.write(wholeOrganization(organizationId), async (tx) => {
      const [found] = await tx.query<{ token_id: string; kind: 'access' | 'refresh' }>(
        'select token_id, kind from token_secrets where hash = $1 and organization_id = $2',
        [hash, organizationId],
      );
      const token = found && (await tx.tokens.find(found.token_id));
      if (!found || !token || isExpired(token, this.context.clock.now())) return null;
      const pair = [token.primaryPair, token.secondaryPair].find(
        (one) => (found.kind === 'access' ? one?.accessHash : one?.refreshHash) === hash,
      );
      if (!pair) {
        if (found.kind === 'refresh') await revokeFamily(tx, token);
        return null;
      }
      const expiresAt =
        found.kind === 'access' ? Date.parse(pair.accessExpires) : token.expires.getTime();
      if (expiresAt <= this.context.clock.now()) return null;
      const caller = await callerOf(tx, token);
      if (caller === undefined) return null;
      return {
        caller: found.kind === 'refresh' ? { ...caller, refreshOnly: true } : caller,
        kind: found.kind,
        expiresAt,
        organizationState: stateOf(await tx.organization(), this.context.clock.now()),
      };
    });
  }
}

/** A refresh secret that was replaced twice comes back only when somebody else has it. */
async function revokeFamily(tx: Transaction, token: Token): Promise<void> {
  log.warn({
    message: 'a spent refresh secret came back, the token is revoked',
    token_id: token.id,
  });
  await tx.tokens.delete(token);
  await tx.notify('token.changed', { tokenIds: [token.id] });
}

async function callerOf(tx: Transaction, token: Token): Promise<Caller | undefined> {
  const caller: Caller = {
    tokenId: token.id,
    scope: token.ownerType,
    organizationId: token.organizationId,
    memberId: token.memberId ?? '',
    permissions: permissionsOf(token),
  };
  if (token.ownerType === 'organization') return caller;
  const integration = await tx.integrations.find(token.ownerId);
  if (integration === undefined) return undefined;
  return {
    ...caller,
    accountId: integration.accountId,
    integrationId: integration.id,
    category: integration.category,
  };
}

function stateOf({ state, endDate }: Organization, now: number): 'enabled' | 'disabled' {
  if (state === 'disabled') return 'disabled';
  return state === 'plg' && endDate !== null && Date.parse(endDate) < now ? 'disabled' : 'enabled';
}
