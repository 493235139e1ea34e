import { effect } from '@preact/signals';
import { send } from './client.js';
import { keepSession, type Session, session } from './session.js';

/** Time before the end of a token at which it is renewed. */
const marginMs = 120_000;
/** The longest wait that browsers take. */
const maxWaitMs = 2_147_483_647;

/** Renews the token of a member before it ends, as long as the page is open. A session that cannot be renewed asks for a logon at its end. */
export function renewSessions(): void {
  effect(() => {
    const current = session.value;
    if (current?.renewal === undefined) return;
    const waitMs = Date.parse(current.renewal.expires) - Date.now() - marginMs;
    const timer = window.setTimeout(
      () => void renew(current),
      Math.min(maxWaitMs, Math.max(0, waitMs)),
    );
    return () => window.clearTimeout(timer);
  });
}

/** A copied tab has the same session, so one of them renews at a time; the service gives the others what it has given the first. */
async function renew(from: Session): Promise<void> {
  const { renewal } = from;
  if (renewal === undefined) return;
  await navigator.locks.request(`onefold.renew.${renewal.tokenId}`, async () => {
    if (session.peek() !== from) return;
    const path = { refreshTokenId: renewal.tokenId };
    const renewed = await send('tokens_refresh', { path }, renewal.secret).catch(() => undefined);
    if (renewed === undefined || session.peek() !== from) return;
    const { access, refresh } = renewed.result.primary;
    keepSession({
      ...from,
      token: access.secret,
      renewal: { ...renewal, secret: refresh.secret, expires: access.expires },
    });
  });
}
