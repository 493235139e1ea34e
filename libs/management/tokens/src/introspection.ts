import { Controller, Logger } from '@nestjs/common';
import { type Introspection, Serves } from '#bus';
import type { Caller } from '#contract';
import { ManagementContext, organizationState } from '#management/shared';
import { type Member, type Token, type Transaction, wholeOrganization } from '#store';
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
      const caller = await callerOf(tx, token, this.context.clock.now());
      if (caller === undefined) return null;
      return {
        caller: found.kind === 'refresh' ? { ...caller, refreshOnly: true } : caller,
        kind: found.kind,
        expiresAt,
        organizationState: organizationState(await tx.organization(), this.context.clock.now()),
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

/** Undefined when the token's member or integration is gone, or the member may not act any more. */
async function callerOf(tx: Transaction, token: Token, now: number): Promise<Caller | undefined> {
  if (token.ownerType === 'integration') return await integrationCaller(tx, token);
  const member = token.memberId === null ? undefined : await tx.members.find(token.memberId);
  if (token.memberId !== null && !(member && mayAct(member, now))) return undefined;
  return {
    ...callerBase(token),
    permissions: await permissionsOf(tx, token, member),
    ...(token.tokenType === 'logon' && member ? { session: sessionKind(token, member, now) } : {}),
  };
}

async function integrationCaller(tx: Transaction, token: Token): Promise<Caller | undefined> {
  const integration = await tx.integrations.find(token.ownerId);
  if (integration === undefined) return undefined;
  return {
    ...callerBase(token),
    accountId: integration.accountId,
    integrationId: integration.id,
    category: integration.category,
    permissions: [],
  };
}

function callerBase(token: Token) {
  return {
    tokenId: token.id,
    scope: token.ownerType,
    organizationId: token.organizationId,
    memberId: token.memberId ?? '',
  };
}

/** A lock after failed logons keeps nobody out who is in: strangers could lock any member out otherwise. */
function mayAct({ state, expires }: Member, now: number): boolean {
  return state !== 'disabled' && expires.getTime() > now;
}

/** Who logged on with an invitation, or a password past its age, has to choose a new one first. */
function sessionKind(token: Token, member: Member, now: number): 'open' | 'password' {
  if (token.signedInBy !== 'password') return 'open';
  const mustChange = ['invited', 'forgotten'].includes(member.stateBeforeLock ?? member.state);
  return mustChange || member.pinExpires.getTime() <= now ? 'password' : 'open';
}
