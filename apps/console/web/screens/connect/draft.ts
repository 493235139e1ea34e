import type { Values } from '../../forms/values.js';

/** The form of a provider of an account, without its secrets. */
export interface Draft {
  name: string;
  pointId: string;
  values: Values;
}

const keyOf = (accountId: string, providerId: string) =>
  `onefold.connect.${accountId}.${providerId}`;

/** Drafts survive a reload of the tab, and end with it. */
export function storedDraft(accountId: string, providerId: string): Draft {
  const text = sessionStorage.getItem(keyOf(accountId, providerId));
  return text === null ? { name: '', pointId: '', values: {} } : (JSON.parse(text) as Draft);
}

export function keepDraft(accountId: string, providerId: string, draft: Draft): void {
  sessionStorage.setItem(keyOf(accountId, providerId), JSON.stringify(draft));
}

export function forgetDraft(accountId: string, providerId: string): void {
  sessionStorage.removeItem(keyOf(accountId, providerId));
}
