import { conflict } from '#contract';
import { insertEntries } from '#management/audit';
import {
  candidateNames,
  type ManagementContext,
  parseDuration,
  readDuration,
} from '#management/core';
import { kinds, organizationIds, type Token, type Transaction, wholeOrganization } from '#store';
import { findAdministrator } from './administrator-left.js';
import { issueToken } from './issue-token.js';
import { type PairSecrets, ttlBounds } from './token-record.js';

const longest = '87600h';

/** A token for somebody at the machine itself. */
export interface AdministratorToken {
  organizationId: string;
  memberId: string;
  tokenId: string;
  access: string;
  refresh: string;
}

/** What an organization is founded with. */
export interface NewOrganization {
  id: string;
  name: string;
  /** Nobody asked for this name, so a taken one gets a suffix. */
  derived?: boolean;
  fullname: string;
  administrator: string;
  ttl?: string;
  /** The organization it is a sub organization of. */
  parentId?: string;
  /** When the token that founds it ends; null where somebody at the machine does. */
  endsBy: Date | null;
  contact?: string | null | undefined;
  replyTo?: string | null | undefined;
  picture?: string | null | undefined;
}

/** Makes a root organization with an administrator and a token of his. */
export async function createOrganization(
  context: ManagementContext,
  wanted: Omit<NewOrganization, 'id' | 'parentId' | 'endsBy'>,
): Promise<AdministratorToken> {
  const organizationId = context.ids.next(organizationIds);
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    const { token, secrets } = await foundOrganization(context, tx, {
      ...wanted,
      id: organizationId,
      endsBy: null,
    });
    await recordIssue(tx, token);
    return { organizationId, memberId: token.memberId ?? '', tokenId: token.id, ...secrets };
  });
}

/**
 * Makes an organization with an administrator and a token of his, inside a transaction under its id.
 * @throws ApiError 409 when the name is taken
 */
export async function foundOrganization(
  context: ManagementContext,
  tx: Transaction,
  wanted: NewOrganization,
): Promise<{ token: Token; secrets: PairSecrets }> {
  const { id: organizationId, parentId } = wanted;
  const memberId = context.ids.next(kinds.members);
  const tokenId = context.ids.next(kinds.tokens);
  const now = context.now();
  await insertOrganization(tx, wanted, tokenId, now);
  await tx.members.insert({
    id: memberId,
    organizationId,
    name: wanted.administrator,
    fullname: wanted.administrator,
    createdAt: now,
    updatedAt: now,
    type: 'service',
    state: 'enabled',
    roleBinding: [parentId === undefined ? 'root_administrator' : 'administrator'],
    nickname: null,
    picture: null,
    ttl: longest,
    tokenTtl: '1h',
    expires: new Date(now.getTime() + (parseDuration(longest) ?? 0)),
    pinExpires: now, // it has no password, and works with its tokens
    lastLogon: new Date(0),
    lockedUntil: null,
    stateBeforeLock: null,
  });
  return await issueToken(context, tx, {
    id: tokenId,
    ownerId: organizationId,
    ownerType: 'organization',
    memberId,
    fullname: 'First administrator token',
    tokenType: 'default',
    ttl: readDuration(wanted.ttl, '/token_ttl', ttlBounds.token),
    endsBy: wanted.endsBy,
    roleBinding: ['administrator'],
  });
}

/** A further token of an organization's administrator, for who lost the first. */
export async function createAdministratorToken(
  context: ManagementContext,
  organizationId: string,
  ttl?: string,
): Promise<AdministratorToken> {
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    const administrator = await findAdministrator(tx, context.now());
    if (administrator === undefined)
      throw new Error(`the organization ${organizationId} has no member who is administrator`);
    const { token, secrets } = await issueToken(context, tx, {
      ownerId: organizationId,
      ownerType: 'organization',
      memberId: administrator,
      fullname: 'Administrator token from the command line',
      tokenType: 'default',
      ttl: readDuration(ttl, '/token_ttl', ttlBounds.token),
      endsBy: null,
      roleBinding: ['administrator'],
    });
    await recordIssue(tx, token);
    return { organizationId, memberId: administrator, tokenId: token.id, ...secrets };
  });
}

/** No call of the API is this: who sits at the machine gets a token without one. */
async function recordIssue(tx: Transaction, token: Token): Promise<void> {
  await insertEntries(tx, [
    {
      request_id: '',
      remote_addr: '',
      user_agent: 'command line',
      method: 'POST',
      path: '/v1/tokens',
      audit_type: 'ALARM',
      code: 'token_issued',
      status: 'succeeded',
      body: { token_id: token.id, fullname: token.fullname },
      member_id: token.memberId ?? undefined,
    },
  ]);
}

/** Names are the whole service's and other organizations are out of sight: the database says which are taken. */
async function insertOrganization(
  tx: Transaction,
  wanted: NewOrganization,
  tokenId: string,
  now: Date,
): Promise<void> {
  const { id, name, parentId, contact, replyTo, picture } = wanted;
  for (const candidate of wanted.derived ? [...candidateNames(name), id] : [name]) {
    const made = await tx.query(
      `insert into organizations (id, name, fullname, organization_type, parent_id, refresh_token_id,
         contact, reply_to, picture, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) on conflict (name) do nothing returning id`,
      [
        id,
        candidate,
        wanted.fullname,
        parentId === undefined ? 'root' : 'standard',
        parentId ?? null,
        tokenId,
        contact ?? null,
        replyTo ?? null,
        picture ?? null,
        now,
      ],
    );
    if (made.length > 0) return;
  }
  throw conflict(
    `the name "${name}" is taken by another organization`,
    'Choose another name, or leave it out to have one made.',
  );
}
