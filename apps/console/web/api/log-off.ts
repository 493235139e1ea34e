import { announce } from '../parts/announce.js';
import { call, send } from './client.js';
import { forgetSession, session } from './session.js';

/** Ends the session of a member. A token that was pasted stays valid, and is only forgotten. */
export async function logOff(): Promise<void> {
  const { token, member } = session.peek() ?? {};
  forgetSession();
  if (token === undefined) return;
  if (member === undefined)
    announce('The token is forgotten here. It stays valid until it expires.');
  else
    await send('auth_logoff', {}, token).then(
      () => announce('You have logged off.'),
      () => announce('The session is forgotten here, but the service did not confirm its end.'),
    );
}

/** Ends all sessions of the member. @throws RequestError */
export async function logOffEverywhere(signal: AbortSignal): Promise<void> {
  await call('auth_logoff', { query: { everywhere: 'true' } }, signal);
  forgetSession();
  announce('You have logged off everywhere.');
}
