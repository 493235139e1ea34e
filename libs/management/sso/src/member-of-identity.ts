import { forbidden } from '#contract';
import type { Member, Transaction } from '#store';
import type { Identity } from './identity.js';

/**
 * Finds the member of an identity. The first sign-on finds the member by mail address and links the identity; later
 * ones use the identity, so a mail address that the provider gives to another person opens nothing. Sign-on never
 * creates a member.
 * @throws ApiError 403
 */
export async function memberOfIdentity(
  tx: Transaction,
  ssoId: string,
  identity: Identity,
  now: Date,
): Promise<Member> {
  const known = await linkedMemberId(tx, ssoId, identity.subject);
  if (known !== undefined) return await tx.members.getLocked(known);
  const member = await memberOfMail(tx, identity.email);
  await tx.query(
    `insert into sso_identities (sso_id, subject, organization_id, member_id, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [ssoId, identity.subject, tx.scope.organizationId, member.id, now],
  );
  if ((await linkedMemberId(tx, ssoId, identity.subject)) === member.id) return member;
  throw forbidden(
    `the member ${member.name} is linked to another identity of the same identity provider`,
    'Ask an administrator of the organization: the mail address belongs to another account at the identity provider than before.',
  );
}

async function linkedMemberId(
  tx: Transaction,
  ssoId: string,
  subject: string,
): Promise<string | undefined> {
  const [found] = await tx.query<{ member_id: string }>(
    'select member_id from sso_identities where organization_id = $1 and sso_id = $2 and subject = $3',
    [tx.scope.organizationId, ssoId, subject],
  );
  return found?.member_id;
}

async function memberOfMail(tx: Transaction, email: string | null): Promise<Member> {
  if (email === null)
    throw forbidden(
      'the identity provider sent no verified mail address',
      'Configure it to send one: the claim email, or a NameID in the format emailAddress.',
    );
  const [found] = await tx.query<{ id: string }>(
    `select id from members where organization_id = $1 and type = 'personal' and lower(name) = lower($2)`,
    [tx.scope.organizationId, email],
  );
  if (found === undefined)
    throw forbidden(
      'no member of the organization has this mail address',
      'Ask an administrator of the organization to invite you.',
    );
  return await tx.members.getLocked(found.id);
}
