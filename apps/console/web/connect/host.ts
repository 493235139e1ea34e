/** An event for the host's page: ids and codes alone, never what was typed. */
export type ConnectEvent =
  | { type: 'ready' }
  | { type: 'provider_selected'; provider_id: string }
  | { type: 'verifying' | 'verified'; provider_id: string }
  | { type: 'complete'; integration_id: string; provider_id: string; created: boolean }
  | { type: 'deleted'; integration_id: string }
  | { type: 'error'; status: number; problem: string }
  | { type: 'expired' }
  | { type: 'resize'; height: number }
  | { type: 'closed'; reason: 'cancelled' | 'complete' };

/** The first message of the host's page, with the port for all others. */
export interface Hello {
  session: string;
  locale?: string | undefined;
  appearance?: string | undefined;
  /** The frame is in a dialog, which the page can close. */
  isDialog: boolean;
  /** Origin of the page that sent it, as the browser says. */
  origin: string;
}

export const isFramed = window.parent !== window;

let port: MessagePort | undefined;
let isAllowed = false;

/** Tells the host's page of an event. Until its origin is found to be that of the session it hears only that the session has expired. */
export function tell(event: ConnectEvent): void {
  if (isAllowed || event.type === 'expired') port?.postMessage(event);
}

/** Lets the host's page hear of events from now on. */
export function allowHost(): void {
  if (isAllowed || port === undefined) return;
  isAllowed = true;
  tell({ type: 'ready' });
  tellHeight();
}

/**
 * Waits for the first hello of the page that frames this one. Other frames of the host's page can post messages to this one too, so the
 * sender must be the parent. Further hellos are ignored.
 * @param onRefresh gets the token of another session, in place of one that has expired
 */
export function waitForHello(
  onHello: (hello: Hello) => void,
  onRefresh: (session: string) => void,
): void {
  const listen = ({ data, source, origin, ports: [given] }: MessageEvent<unknown>) => {
    const hello = readHello(data);
    if (source !== window.parent || hello === undefined || given === undefined) return;
    window.removeEventListener('message', listen);
    port = given;
    given.onmessage = ({ data: message }: MessageEvent<unknown>) => {
      const { type, session } = (message ?? {}) as Record<string, unknown>;
      if (type === 'refresh' && typeof session === 'string') onRefresh(session);
    };
    onHello({ ...hello, origin });
  };
  window.addEventListener('message', listen);
}

function readHello(data: unknown): Omit<Hello, 'origin'> | undefined {
  const { type, session, locale, appearance, dialog } = (data ?? {}) as Record<string, unknown>;
  if (type !== 'onefold.hello' || typeof session !== 'string') return undefined;
  return {
    session,
    locale: typeof locale === 'string' ? locale : undefined,
    appearance: typeof appearance === 'string' ? appearance : undefined,
    isDialog: dialog === true,
  };
}

/** Tells how high the page is whenever that changes, for hosts that show it inline. */
function tellHeight(): void {
  new ResizeObserver(() => {
    tell({ type: 'resize', height: Math.ceil(document.body.getBoundingClientRect().height) });
  }).observe(document.body);
}
