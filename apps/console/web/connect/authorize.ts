import type { Result } from '#contract';
import type { Values } from '../forms/values.js';
import type { Access, Provider } from './access.js';
import { call, session } from './session.js';

export type Authorization = Result<'connect_get_authorization'>['result'];
/** The result of a grant at the provider. */
export type Granted = Pick<Authorization, 'credential_id' | 'provider_config'>;

/** An authorization that waits for somebody, as a reload of the page needs it. */
export interface Begun {
  id: string;
  /** The session that began it: no other one finds it. */
  sessionId: string;
  providerId: string;
  /** The page of the provider. */
  url: string;
  /** The part of the form without its secrets. */
  values: Values;
}

/** Somebody takes seconds at least. */
const pollMs = 1_500;

/** Begins an authorization at a provider. @throws RequestError */
export async function begin(
  providerId: string,
  values: Values,
  signal: AbortSignal,
): Promise<Begun> {
  const { id: sessionId = '', account_id: accountId = '' } = session.peek() ?? {};
  const body = {
    integration_point_id: session.peek()?.integration_point_id,
    provider: providerId,
  };
  const input = { path: { accountId }, body };
  const { result } = await call('connect_begin_authorization', input, signal);
  const { authorization, authorize_url: url } = result;
  return { id: authorization.id, sessionId, providerId, url, values };
}

/**
 * Asks until somebody has decided: providers cut their window off from the page that opened it, so nothing else tells.
 * @throws RequestError
 */
export async function decided({ id }: Begun, signal: AbortSignal): Promise<Authorization> {
  const { account_id: accountId = '' } = session.peek() ?? {};
  for (;;) {
    const path = { accountId, authorizationId: id };
    const { result } = await call('connect_get_authorization', { path }, signal);
    if (result.status !== 'pending') return result;
    await new Promise((resolve) => window.setTimeout(resolve, pollMs));
    signal.throwIfAborted();
  }
}

/** Opens the window for the provider's page. Only within a click do browsers allow it; its address is known later. */
export function openWindow(): { show: (url: string) => void; close: () => void } {
  const opened = window.open('', '_blank');
  if (opened) opened.opener = null; // the provider's page must not lead this one elsewhere
  return {
    show: (url) => {
      if (opened) opened.location.href = url;
    },
    close: () => opened?.close(),
  };
}

/** Keeps an authorization in the entry of the browser's history, as the session: it survives a reload and needs no storage. */
export function keepAuthorization(begun: Begun | undefined): void {
  const { authorization: _before, ...state } = (history.state ?? {}) as Record<string, unknown>;
  const kept = begun === undefined ? state : { ...state, authorization: begun };
  history.replaceState(kept, '', location.href);
}

/** Returns the authorization that this session had begun before the page was loaded again. @param providerId any when absent */
export function keptAuthorization(providerId?: string): Begun | undefined {
  const { authorization } = (history.state ?? {}) as { authorization?: Begun };
  if (authorization?.sessionId !== session.peek()?.id) return undefined;
  return providerId === undefined || authorization?.providerId === providerId
    ? authorization
    : undefined;
}

/** Properties of the configuration that nobody has to type, because the provider tells them: all of them until it has answered. */
export function toldFields({ authorization }: Provider, granted: Granted | undefined): string[] {
  if (granted !== undefined) return Object.keys(granted.provider_config ?? {});
  return authorization?.tells ?? [];
}

/** Returns what a grant tells of another place at the provider than the one that is connected, such as another tenant. */
export function otherThan(
  integration: Access['integration'],
  granted: Granted | undefined,
): { received: string; connected: string } | undefined {
  const stored = (integration?.provider_config ?? {}) as Record<string, unknown>;
  for (const [name, received] of Object.entries(granted?.provider_config ?? {})) {
    const connected = stored[name];
    if (typeof connected === 'string' && connected !== received) return { received, connected };
  }
  return undefined;
}
