import { conflict, parseDuration } from '#contract';
import { insertEntries } from '#management/audit';
import { candidateNames, type ManagementContext, readDuration } from '#management/core';
import {
  kinds,
  organizationIds,
  organizationQueries,
  type Token,
  type Transaction,
  wholeOrganization,
} from '#store';
import { findAdministrator } from './administrators.js';
import { issueToken } from './issue-token.js';
import { type PairSecrets, ttlBounds } from './token-record.js';

const maxNameLength = '87600h';

/** Token for an operator at the machine. */
export interface AdministratorToken {
  organizationId: string;
  memberId: string;
  tokenId: string;
  access: string;
  refresh: string;
}

/** Settings of a new organization. */
export interface NewOrganization {
  id: string;
  name: string;
  /** The name was not chosen by the caller, so a suffix is added if it is taken. */
  derived?: boolean;
  fullname: string;
  administrator: string;
  ttl?: string;
  /** The parent organization. */
  parentId?: string;
  /** Expiry of the token that creates the organization; null if an operator creates it. */
  endsBy: Date | null;
  contact?: string | null | undefined;
  replyTo?: string | null | undefined;
  picture?: string | null | undefined;
}

/** Creates a root organization with an administrator and their token. */
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
 * Creates an organization with an administrator and their token, inside a transaction under its id.
 * @throws ApiError 409 if the name is taken
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
    ttl: maxNameLength,
    tokenTtl: '1h',
    expires: new Date(now.getTime() + (parseDuration(maxNameLength) ?? 0)),
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

/** Creates a further token of an organization's administrator, for operators who lost the first. */
export async function createAdministratorToken(
  context: ManagementContext,
  organizationId: string,
  ttl?: string,
): Promise<AdministratorToken> {
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    const administrator = await findAdministrator(tx, context.now());
    if (administrator === undefined)
      throw new Error(`the organization ${organizationId} has no administrator`);
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

/** Records the token that an operator creates, because no call of the API records it. */
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

/**
 * Stores an organization. Names are unique in the whole service and other organizations are not visible, so the
 * database says which are taken.
 */
async function insertOrganization(
  tx: Transaction,
  wanted: NewOrganization,
  tokenId: string,
  now: Date,
): Promise<void> {
  const { id, name, fullname, parentId } = wanted;
  const contact = wanted.contact ?? null;
  const replyTo = wanted.replyTo ?? null;
  const picture = wanted.picture ?? null;
  const row = { fullname, parentId, tokenId, contact, replyTo, picture, now };
  for (const candidate of wanted.derived ? [...candidateNames(name), id] : [name])
    if (await organizationQueries.insert(tx, { ...row, name: candidate })) return;
  throw conflict(
    `the name "${name}" is taken by another organization`,
    'Choose another name, or leave it out to have one made.',
  );
}
