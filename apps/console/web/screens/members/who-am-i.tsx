import { useState } from 'preact/hooks';
import { ownToken } from '../../api/permissions.js';
import { Action } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { Skeleton } from '../../parts/loaded.js';
import { reachOf } from '../../parts/reach-fields.js';
import { Ago } from '../../parts/time.js';
import { ChangePassword } from './change-password.js';

/** Says whose token the session has, what it permits and until when. */
export function WhoAmI({ name }: { name: string | undefined }) {
  const [isChanging, setChanging] = useState(false);
  const own = ownToken.value;
  if (own === undefined) return <Skeleton lines={2} />;
  const { token, grants, operations } = own;
  const isMember = token.token_type === 'logon';
  return (
    <section class="card own" aria-labelledby="who-am-i">
      <h2 id="who-am-i">You</h2>
      <p>
        {isMember ? 'You have logged on' : `You use the token ${token.fullname}`}
        {name !== undefined && (
          <>
            {isMember ? ' as ' : ', of '}
            <strong dir="auto">{name}</strong>
          </>
        )}
        , until <Ago time={token.expires} />. <Id value={token.id} />
      </p>
      <ul class="bullets">
        {grants.map(({ permission_set: set, accounts, categories }, index) => (
          <li key={index}>
            <strong>{set}</strong> in {reachOf(accounts, categories)}
          </li>
        ))}
      </ul>
      {grants.length === 0 && <p>It permits nothing: the roles of its member were taken away.</p>}
      {isMember && (
        <p class="buttons start">
          <Action operation="auth_change_password" onClick={() => setChanging(true)}>
            Change your password
          </Action>
        </p>
      )}
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
      <details>
        <summary>{operations.length} operations that you may call</summary>
        <p class="hint operations-list">{operations.join(', ')}</p>
      </details>
    </section>
  );
}
