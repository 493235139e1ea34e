import { useState } from 'preact/hooks';
import { logOffEverywhere } from '../../api/log-off.js';
import { ownToken } from '../../api/permissions.js';
import { Confirm } from '../../parts/confirm.js';

/** Ends all sessions of a member after a question. A token that was pasted is not a session, and has no such button. */
export function LogOffEverywhere() {
  const [isAsked, setAsked] = useState(false);
  if (ownToken.value?.token.token_type !== 'logon') return null;
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsked(true)}>
        Log off everywhere
      </button>
      {isAsked && (
        <Confirm
          title="Log off everywhere?"
          operation="auth_logoff"
          action="End all sessions"
          work={logOffEverywhere}
          onClose={() => setAsked(false)}
        >
          <p>
            All your sessions end at once, in every browser and in this tab. Tokens of programs stay
            valid: they are in Tokens.
          </p>
        </Confirm>
      )}
    </>
  );
}
