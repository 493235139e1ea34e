import { computed, signal } from '@preact/signals';
import type { ManagementSchemas, OperationId, Result } from '#contract';
import type { Input } from '../api/operations.js';
import { RequestError } from '../api/request-error.js';
import { errorOf } from '../parts/attempt.js';
import { send } from './api.js';
import { allowHost, type Hello, isFramed, tell } from './host.js';
import { theme } from './theme.js';
import { speak } from './words.js';

type Session = Result<'connect_get_session'>['result']['session'];
export type MappingTemplate = ManagementSchemas['AdditionalMappingTemplate'];

/** A state of the page in which there is nothing to fill in. */
export type Notice =
  | { kind: 'loading' | 'ended' | 'misplaced' }
  | { kind: 'start'; link: string }
  | { kind: 'failed'; retry: () => void };

export const notice = signal<Notice | undefined>({ kind: 'loading' });
export const session = signal<Session | undefined>(undefined);
/** Providers at which the host has an application that people can authorize. */
export const authorizable = signal<readonly string[]>([]);
/** Choices of the customer beside the fields of the provider. */
export const optionalMappings = signal<readonly MappingTemplate[]>([]);
/** The session was open, and has ended: what was typed stays. */
export const isEnded = signal(false);
export const hello = signal<Hello | undefined>(undefined);
let token = '';
let expiry: number | undefined;

/** Languages besides that of the session, best first. */
const wantedLocales = computed(() => [hello.value?.locale, addressLocale, ...navigator.languages]);
let addressLocale: string | undefined;

export function setAddressLocale(locale: string | undefined): void {
  addressLocale = locale;
}

/** Reads the session of a token and opens the page for it. In a frame, the session must be one for the origin of the host's page. */
export async function openSession(given: string): Promise<void> {
  await speak(wantedLocales.value);
  try {
    const { result } = await send('connect_get_session', given);
    if (isFramed && result.session.origin !== hello.peek()?.origin) {
      notice.value = { kind: 'misplaced' };
      return;
    }
    token = given;
    theme.value = result.theme;
    await speak([result.session.locale, ...wantedLocales.value]);
    authorizable.value = result.authorizable ?? [];
    optionalMappings.value = result.additional_mappings ?? [];
    session.value = result.session;
    isEnded.value = false;
    notice.value = undefined;
    endAt(Date.parse(result.session.expires_at));
    allowHost();
  } catch (error) {
    notice.value = noticeOf(errorOf(error), () => void openSession(given));
    if (notice.value.kind === 'ended') tell({ type: 'expired' });
  }
}

/** Exchanges a link for a session: only when somebody begins, because programs that scan mail load pages. */
export async function openLink(link: string): Promise<void> {
  notice.value = { kind: 'loading' };
  try {
    const { result } = await send('connect_open_link', link);
    keepForReload(result.token);
    await openSession(result.token);
  } catch (error) {
    notice.value = noticeOf(errorOf(error), () => void openLink(link));
  }
}

/** Calls an operation by the token of the session. @throws RequestError */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input = {},
  signal?: AbortSignal,
): Promise<Result<Id>> {
  try {
    return await send(id, token, input, signal);
  } catch (error) {
    if (error instanceof RequestError) {
      const { status, type } = error.problem;
      if (status === 401) end();
      else tell({ type: 'error', status, problem: type?.split(':').at(-1) ?? 'error' });
    }
    throw error;
  }
}

/** Forgets the session, which is spent as intended: its end is nothing to tell of. */
export function finish(): void {
  window.clearTimeout(expiry);
  keepForReload(undefined);
}

/** Unknown, expired and spent sessions look the same, so that nobody learns which ones exist. */
function noticeOf(error: Error, retry: () => void): Notice {
  const status = error instanceof RequestError ? error.problem.status : 0;
  return status === 401 || status === 403 ? { kind: 'ended' } : { kind: 'failed', retry };
}

function end(): void {
  if (isEnded.peek()) return;
  window.clearTimeout(expiry);
  isEnded.value = true;
  tell({ type: 'expired' });
}

function endAt(time: number): void {
  window.clearTimeout(expiry);
  expiry = window.setTimeout(end, Math.max(0, time - Date.now()));
}

/**
 * Keeps the token in the entry of the browser's history, which survives a reload of this tab and needs no storage. Inside a frame the
 * host's page gives it again.
 */
export function keepForReload(kept: string | undefined): void {
  const state = (history.state ?? {}) as Record<string, unknown>;
  const next = kept === undefined ? null : { ...state, session: kept };
  history.replaceState(next, '', location.pathname);
}
