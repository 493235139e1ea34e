import { announce } from '../parts/announce.js';
import { call, RequestError, send } from './client.js';
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

const maxListed = 200;

/**
 * Deletes the tokens of all sessions of a member, and that of this tab last, so that a failure can be tried again.
 * @throws RequestError
 */
export async function logOffEverywhere(
  memberId: string,
  ownTokenId: string,
  signal: AbortSignal,
): Promise<void> {
  const filter = [`member_id[eq]${memberId}`, 'token_type[eq]logon'];
  for (;;) {
    const query = { limit: maxListed, filter };
    const { result } = await call('tokens_list', { query }, signal);
    const others = result.filter(({ id }) => id !== ownTokenId);
    if (others.length === 0) break;
    for (const { id } of others) await deleteToken(id, signal);
  }
  await deleteToken(ownTokenId, signal);
  forgetSession();
  announce('You have logged off everywhere.');
}

async function deleteToken(refreshTokenId: string, signal: AbortSignal): Promise<void> {
  try {
    await call('tokens_delete', { path: { refreshTokenId } }, signal);
  } catch (failure) {
    const isGone = failure instanceof RequestError && failure.problem.status === 404;
    if (!isGone) throw failure; // a session may end by itself meanwhile
  }
}
