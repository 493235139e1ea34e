import type { ManagementSchemas } from '#contract';
import { recordView } from '#management/core';
import { hashToken, maskToken, mintToken, tokenPrefixes } from '#secrets';
import type { StoredPair, Token } from '#store';

export type RefreshToken = ManagementSchemas['RefreshToken'];
export type TokenPair = ManagementSchemas['TokenPair'];

/** The secrets of a pair in plain text, for the response that creates them. */
export interface PairSecrets {
  access: string;
  refresh: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** A session expires after a day, refreshed or not; its member logs on again. */
const refreshLifetimeMs = { logon: dayMs, adhoc: 365 * dayMs, default: 365 * dayMs };

/**
 * Returns when a record with a new refresh secret expires: never before its access secret.
 * @param ttlMs lifetime of the access secret
 */
export function recordExpiry(type: Token['tokenType'], now: number, ttlMs: number): Date {
  return new Date(now + Math.max(refreshLifetimeMs[type], ttlMs));
}

/** Bounds and defaults of `token_ttl`. */
export const ttlBounds = {
  token: { default: '24h', min: '1m', max: '3650d' },
  integration: { default: '10m', min: '1m', max: '3650d' },
  mcp: { default: '1h', min: '1m', max: '24h' },
};

/** Creates a pair: the stored part, and the secrets. */
export function mintPair(
  kind: Exclude<keyof typeof tokenPrefixes, 'refresh'>,
  accessExpires: Date,
): { stored: StoredPair; secrets: PairSecrets } {
  const secrets = {
    access: mintToken(tokenPrefixes[kind]),
    refresh: mintToken(tokenPrefixes.refresh),
  };
  return {
    secrets,
    stored: {
      accessHash: hashToken(secrets.access),
      accessExpires: accessExpires.toISOString(),
      refreshHash: hashToken(secrets.refresh),
    },
  };
}

/** A token in responses; secrets are masked unless they are new. */
export function tokenView(token: Token, secrets?: PairSecrets): RefreshToken {
  return {
    ...recordView(token),
    ...(token.memberId === null ? {} : { member_id: token.memberId }),
    owner_id: token.ownerId,
    owner_type: token.ownerType,
    expires: token.expires.toISOString(),
    token_ttl: token.tokenTtl,
    token_type: token.tokenType,
    ...(token.lastUsedAt ? { last_used_at: token.lastUsedAt.toISOString() } : {}),
    primary: pairView(token, token.primaryPair, secrets),
    ...(token.secondaryPair === null ? {} : { secondary: pairView(token, token.secondaryPair) }),
  };
}

/** A pair in responses. */
export function pairView(token: Token, pair: StoredPair, secrets?: PairSecrets): TokenPair {
  const permissions = {
    ...(token.roleBinding.length === 0 ? {} : { role_binding: token.roleBinding }),
    ...(token.adhocRole === null ? {} : { adhoc_role: token.adhocRole as never }),
    resource_id: token.ownerId,
    resource_type: token.ownerType,
    parent_id: token.accountId ?? token.organizationId,
    id: token.id,
    organization_id: token.organizationId,
    member_id: token.memberId ?? '',
  };
  return {
    access: {
      secret: secrets?.access ?? maskToken(tokenPrefixes[kindOf(token)]),
      expires: pair.accessExpires,
      permissions,
      ...(token.mcpScope === null ? {} : { claims: { mcp: token.mcpScope } }),
    },
    refresh: {
      secret: secrets?.refresh ?? maskToken(tokenPrefixes.refresh),
      expires: token.expires.toISOString(),
      permissions,
    },
  };
}

/** Kind of a token's access secrets. */
export function kindOf({
  mcpScope,
  ownerType,
}: Pick<Token, 'mcpScope' | 'ownerType'>): Token['ownerType'] | 'mcp' {
  return mcpScope === null ? ownerType : 'mcp';
}

/** True if the record has expired. */
export function isExpired(token: Token, now: number): boolean {
  return token.expires.getTime() <= now;
}
