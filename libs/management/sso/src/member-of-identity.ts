import { forbidden } from '#contract';
import { type Member, memberQueries, signOnQueries, type Transaction } from '#store';
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
  const { subject } = identity;
  const known = await signOnQueries.findLinkedMember(tx, ssoId, subject);
  if (known !== undefined) return await tx.members.getLocked(known);
  const member = await memberOfMail(tx, identity.email);
  await signOnQueries.linkIdentity(tx, { ssoId, subject, memberId: member.id, now });
  if ((await signOnQueries.findLinkedMember(tx, ssoId, subject)) === member.id) return member;
  throw forbidden(
    `the member ${member.name} is linked to another identity of the same identity provider`,
    'Ask an administrator of the organization: the mail address belongs to another account at the identity provider than before.',
  );
}

async function memberOfMail(tx: Transaction, email: string | null): Promise<Member> {
  if (email === null)
    throw forbidden(
      'the identity provider sent no verified mail address',
      'Configure it to send one: the claim email, or a NameID in the format emailAddress.',
    );
  const found = await memberQueries.findByMail(tx, email);
  if (found === undefined)
    throw forbidden(
      'no member of the organization has this mail address',
      'Ask an administrator of the organization to invite you.',
    );
  return await tx.members.getLocked(found);
}
