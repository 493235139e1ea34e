import { call } from '../../api/client.js';
import { ownToken } from '../../api/permissions.js';
import { cache } from '../../api/query.js';
import { forgetSession } from '../../api/session.js';
import { Action } from '../action.js';
import { announce } from '../announce.js';
import { Confirm } from '../confirm.js';
import { useAttempt } from '../attempt.js';
import { Dialog } from '../dialog.js';
import { DialogButtons } from '../dialog-buttons.js';
import { fullTime } from '../time.js';
import type { Token } from './token.js';

interface Props {
  token: Token;
  onClose: () => void;
}

export const readTokensAgain = () => cache.invalidateQueries({ queryKey: ['tokens_list'] });

/** New secrets: with `rotate` the old ones stay as secondary ones, with `reset` they end at once. */
export function RenewToken({
  token,
  onClose,
  onRenewed,
}: Props & { onRenewed: (token: Token) => void }) {
  const { run, isBusy, error } = useAttempt();
  const path = { ownerId: token.owner_id, refreshTokenId: token.id };
  const renew = (operation: 'tokens_rotate' | 'tokens_reset') =>
    run(async (signal) => {
      const { result } = await call(operation, { path }, signal);
      await readTokensAgain();
      onRenewed(result);
    });
  return (
    <Dialog title={`Rotate ${token.fullname}`} onClose={onClose}>
      <p>
        <strong>Rotate</strong> makes new secrets. The present ones stay valid as secondary ones, so
        that your program works while you change them.
      </p>
      <p>
        <strong>Reset</strong> makes new secrets and ends the present ones now. Use it when somebody
        else may have them.
      </p>
      {token.secondary && (
        <p class="note">
          There is a secondary pair, until {fullTime(token.secondary.access.expires)}. Rotating ends
          it.
        </p>
      )}
      <DialogButtons onClose={onClose} error={error}>
        <Action operation="tokens_reset" isBusy={isBusy} onClick={() => void renew('tokens_reset')}>
          Reset
        </Action>
        <Action
          operation="tokens_rotate"
          kind="primary"
          isBusy={isBusy}
          onClick={() => void renew('tokens_rotate')}
        >
          Rotate
        </Action>
      </DialogButtons>
    </Dialog>
  );
}

export function RemoveSecondary({ token, onClose }: Props) {
  const remove = async (signal: AbortSignal) => {
    await call('tokens_remove_secondary', { path: { refreshTokenId: token.id } }, signal);
    await readTokensAgain();
    announce('The secondary secrets have ended');
    onClose();
  };
  return (
    <Confirm
      title={`End the secondary secrets of ${token.fullname}`}
      operation="tokens_remove_secondary"
      action="End them"
      work={remove}
      onClose={onClose}
    >
      <p>Programs that still use them are refused from now on. The primary ones stay valid.</p>
    </Confirm>
  );
}

export function DeleteToken({ token, onClose }: Props) {
  const isOwn = token.id === ownToken.value?.token.id;
  const remove = async (signal: AbortSignal) => {
    await call('tokens_delete', { path: { refreshTokenId: token.id } }, signal);
    announce(`${token.fullname} is deleted`);
    if (isOwn) forgetSession();
    else await readTokensAgain();
    onClose();
  };
  return (
    <Confirm
      title={`Delete ${token.fullname}?`}
      operation="tokens_delete"
      action="Delete token"
      work={remove}
      onClose={onClose}
    >
      <p>
        {isOwn
          ? 'It is the token of this session: you log off by it, and other programs that use it are refused.'
          : 'Programs that use it are refused from now on. This cannot be undone.'}
      </p>
    </Confirm>
  );
}
