import type { Problem, Result } from '#contract';
import { base, go, place } from '../location.js';
import { RequestError } from './client.js';
import { serviceOrigin } from './service.js';

/** A sign-on that an identity provider has finished. */
export interface ReturnedSignOn {
  organizationId: string;
  /** Exchanged for the session, once and within a minute. */
  code: string;
}

interface Begun {
  organizationId: string;
  /** Tells the sign-on of this tab from one that somebody else has begun. */
  state: string;
  /** The address that was asked for, below `/console`. */
  asked: string;
}

const key = 'onefold.sign-on';

/** Leaves the page for an identity provider of an organization; it comes back to {@link takeSignOnOfAddress}. */
export function beginSignOn(organizationId: string, ssoId: string): void {
  const { path, search } = place.peek();
  const text = search.toString();
  const state = crypto.randomUUID();
  const begun: Begun = { organizationId, state, asked: text === '' ? path : `${path}?${text}` };
  sessionStorage.setItem(key, JSON.stringify(begun));
  const start = `/sso/${encodeURIComponent(organizationId)}/start/${encodeURIComponent(ssoId)}`;
  const query = new URLSearchParams({ return_to: `${location.origin}${base}/`, state });
  location.assign(`${serviceOrigin()}${start}?${query}`);
}

/** Takes the code of a sign-on that this tab has begun, and puts the address back that was asked for, before anything is sent. */
export function takeSignOnOfAddress(): ReturnedSignOn | undefined {
  const text = sessionStorage.getItem(key);
  const search = new URLSearchParams(location.search);
  const code = search.get('code');
  if (text === null || code === null) return undefined;
  sessionStorage.removeItem(key);
  const { organizationId, state, asked } = JSON.parse(text) as Begun;
  go(asked, true);
  return search.get('state') === state ? { organizationId, code } : undefined;
}

/** Exchanges the code for a session. It is not an operation of the API, so the list of requests does not have it. @throws RequestError */
export async function exchange({ organizationId, code }: ReturnedSignOn) {
  const response = await fetch(
    `${serviceOrigin()}/sso/${encodeURIComponent(organizationId)}/exchange`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    },
  );
  const body: unknown = await response.json();
  if (!response.ok) throw new RequestError(body as Problem, 'auth_logon');
  return (body as Result<'auth_logon'>).result;
}
