import { base } from '../location.js';

/** Somebody who was invited logs on with this, and chooses a password of their own. */
export interface Invitation {
  organization: string;
  member: string;
  secret: string;
}

/** The address that leads an invited member to their first password. The fragment of an address is never sent to a server. */
export function invitationLink(invitation: Invitation): string {
  return `${location.origin}${base}/#${new URLSearchParams({ ...invitation })}`;
}

/** Takes an invitation of the fragment, and removes it from the address before anything is sent. */
export function takeInvitationOfAddress(): Invitation | undefined {
  const given = new URLSearchParams(location.hash.slice(1));
  const [organization, member, secret] = ['organization', 'member', 'secret'].map((name) =>
    given.get(name),
  );
  if (!organization || !member || !secret) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return { organization, member, secret };
}
