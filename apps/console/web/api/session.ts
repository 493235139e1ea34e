import { computed, signal } from '@preact/signals';
import type { ManagementSchemas } from '#contract';

/** The session of this tab. It is kept in `sessionStorage`, so that it ends with the tab and another tab asks again. */
export interface Session {
  token: string;
  organization: ManagementSchemas['Organization'];
  /** Name of the member who logged on by a password; a token does not tell whose it is. */
  member?: string;
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
