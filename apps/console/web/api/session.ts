import { computed, signal } from '@preact/signals';
import type { ManagementSchemas } from '#contract';

/** The session of this tab. It is kept in `sessionStorage`, so that it ends with the tab and another tab asks again. */
export interface Session {
  token: string;
  organization: ManagementSchemas['Organization'];
  /** Name of the member who logged on by a password; a token does not tell whose it is. */
  member?: string;
  /** Renews the token of a member before it ends; a token that was pasted has none. */
  renewal?: Renewal;
}

export interface Renewal {
  tokenId: string;
  secret: string;
  /** End of the token that it renews. */
  expires: string;
}

/** A session of a member, from the response to a logon. */
export function sessionOfMember({
  token: { access, refresh },
  refresh_token_id: tokenId,
  organization,
  member,
}: ManagementSchemas['LogonResponseResult']): Session {
  return {
    token: access.secret,
    organization,
    member: member.name,
    renewal: { tokenId, secret: refresh.secret, expires: access.expires },
  };
}

const key = 'onefold.session';

export const session = signal<Session | undefined>(stored());
/** The session's token was refused. The page stays, and a dialog asks for another one. */
export const isRefused = signal(false);
export const organizationId = computed(() => session.value?.organization.id ?? '');

export function keepSession(value: Session): void {
  sessionStorage.setItem(key, JSON.stringify(value));
  session.value = value;
  isRefused.value = false;
}

export function forgetSession(): void {
  sessionStorage.removeItem(key);
  session.value = undefined;
  isRefused.value = false;
}

/** Takes the token of the fragment `#token=`, and removes it from the address before anything is sent. */
export function takeTokenOfAddress(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function stored(): Session | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Session);
}
