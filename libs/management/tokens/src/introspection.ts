import { Controller, Logger } from '@nestjs/common';
import { type Introspection, type Origin, type RefusedSecret, Serves } from '#bus';
import type { Caller, ConnectScope } from '#contract';
import { insertEntries } from '#management/audit';
import { ManagementContext } from '#management/core';
import { organizationState } from '#management/organization';
import {
  type Integration,
  type Member,
  type Token,
  type Transaction,
  wholeOrganization,
} from '#store';
import { findSecret, type KnownSecret } from './known-secret.js';
import { LastUses } from './last-uses.js';
import { permissionsOf } from './token-permissions.js';
import { isExpired, kindOf } from './token-record.js';
import { renewalFor } from './renewals.js';

const log = new Logger('tokens');

/** Identifies the caller of a secret. */
@Controller()
export class TokenIntrospection {
  constructor(
    private readonly context: ManagementContext,
    private readonly lastUses: LastUses,
  ) {}

  @Serves('tokens.introspect')
  async introspect({
    hash,
    origin,
  }: {
    hash: string;
    origin?: Origin;
  }): Promise<Introspection | RefusedSecret | null> {
    const organizationId = await this.context.store.organizationOfSecret(hash);
    if (organizationId === undefined) return null;
    const now = this.context.clock.now();
    const secret = await findSecret(this.context.store, organizationId, hash);
    if (secret === undefined) return null;
    const { token } = secret;
    if (token === undefined) return { refused: 'revoked', organizationId };
    const refused = { ...ownerOf(token), organizationId };
    if (isExpired(token, now)) return { ...refused, refused: 'expired' };
    const expiresAt = expiryOf(token, secret, now);
    if (expiresAt === undefined) {
      if (secret.kind === 'access') return { ...refused, refused: 'revoked' };
      await this.context.store.write(wholeOrganization(organizationId), (tx) =>
        revokeFamily(tx, token, origin),
      );
      return { ...refused, refused: 'reused' };
    }
    if (expiresAt <= now) return { ...refused, refused: 'expired' };
    const caller = callerOf(token, secret, now);
    if (caller === undefined) return { ...refused, refused: 'revoked' };
    this.lastUses.note(token.id, secret.lastUsedAt);
    return {
      caller:
        secret.kind === 'refresh' ? { ...caller, refreshOnly: true, refreshHash: hash } : caller,
      kind: secret.kind,
      expiresAt,
      organizationState: organizationState(secret.organization, now),
      validMs: Math.min(...endsOf(secret, expiresAt).filter((end) => end > now)) - now,
    };
  }
}

/**
 * Returns when a secret expires; undefined if it is in neither slot of its token and is not a retry of the refresh that
 * replaced it.
 */
function expiryOf(token: Token, { hash, kind }: KnownSecret, now: number): number | undefined {
  const pair = [token.primaryPair, token.secondaryPair].find(
    (one) => (kind === 'access' ? one?.accessHash : one?.refreshHash) === hash,
  );
  if (pair && kind === 'access') return Date.parse(pair.accessExpires);
  return pair || renewalFor(token, hash, now) ? token.expires.getTime() : undefined;
}

/** Returns when something ends that the answer depends on: the token, its retries, the member, the password, the organization. */
function endsOf({ token, member, organization }: KnownSecret, expiresAt: number): number[] {
  const ends = [
    expiresAt,
    member?.expires.getTime(),
    member?.pinExpires.getTime(),
    Date.parse(token?.renewal?.until ?? ''),
    Date.parse(organization.endDate ?? ''),
  ];
  return ends.filter((end) => end !== undefined);
}

function ownerOf(token: Token) {
  return {
    ...(token.memberId === null ? {} : { memberId: token.memberId }),
    ...(token.accountId === null ? {} : { accountId: token.accountId }),
    ...(token.ownerType === 'integration' ? { integrationId: token.ownerId } : {}),
  };
}

/** Revokes the tokens of a refresh secret that was replaced twice, because somebody else must have it. */
async function revokeFamily(
  tx: Transaction,
  token: Token,
  origin: Origin | undefined,
): Promise<void> {
  log.warn({
    message: 'spent refresh secret used, token revoked',
    token_id: token.id,
  });
  await tx.tokens.delete(token);
  const { memberId, accountId, integrationId } = { ...noOwner, ...ownerOf(token) };
  await insertEntries(tx, [
    {
      request_id: origin?.requestId ?? '',
      remote_addr: origin?.remoteAddress ?? '',
      user_agent: origin?.userAgent ?? '',
      method: origin?.method ?? 'PUT',
      path: origin?.path ?? '',
      audit_type: 'ALARM',
      code: 'refresh_secret_reused',
      status: 'refused',
      response: 'spent refresh secret used, token revoked',
      body: { token_id: token.id },
      member_id: memberId,
      account_id: accountId,
      integration_id: integrationId,
    },
  ]);
}

const noOwner: { memberId?: string; accountId?: string; integrationId?: string } = {};

/**
 * Returns the caller; undefined if the token's member or integration was deleted, or the member may not act any longer.
 */
function callerOf(token: Token, known: KnownSecret, now: number): Caller | undefined {
  const { member, integration, roles } = known;
  if (token.ownerType === 'integration')
    return (
      integration && {
        ...callerBase(token),
        ...placeOf(integration),
        ...(token.hookOnly ? { hookOnly: true } : {}),
        permissions: permissionsOf(token, undefined, []),
      }
    );
  if (token.memberId !== null && !(member && mayAct(member, now))) return undefined;
  return {
    ...callerBase(token),
    permissions: permissionsOf(token, member, roles),
    ...(token.mcpScope === null ? {} : { mcp: token.mcpScope as NonNullable<Caller['mcp']> }),
    ...(token.connectSession === null
      ? {}
      : { connect: token.connectSession['scope'] as ConnectScope }),
    ...(token.tokenType === 'logon' && member ? { session: sessionKind(token, member, now) } : {}),
  };
}

function placeOf({ accountId, id, category }: Integration) {
  return { accountId, integrationId: id, category };
}

function callerBase(token: Token) {
  return {
    tokenId: token.id,
    scope: kindOf(token),
    organizationId: token.organizationId,
    memberId: token.memberId ?? '',
  };
}

/**
 * True if the member may use the token. A lock after failed logons does not end sessions: strangers could end those of
 * any member otherwise.
 */
function mayAct({ state, expires }: Member, now: number): boolean {
  return state !== 'disabled' && expires.getTime() > now;
}

/** A session of an invited member, or of one with an expired password, can only change the password. */
function sessionKind(token: Token, member: Member, now: number): 'open' | 'password' {
  if (token.signedInBy !== 'password') return 'open';
  const mustChange = ['invited', 'forgotten'].includes(member.stateBeforeLock ?? member.state);
  return mustChange || member.pinExpires.getTime() <= now ? 'password' : 'open';
}
