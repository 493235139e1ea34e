import { useState } from 'preact/hooks';
import { send } from '../../api/client.js';
import type { Invitation } from '../../api/invitation.js';
import { keepSession, sessionOfMember } from '../../api/session.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { Failure, Submit } from './submit.js';

/** Logs on a member. Who was invited, or whose password is too old, chooses another one first. */
export function PasswordForm({ given }: { given: Invitation | undefined }) {
  const [organization, setOrganization] = useState(given?.organization ?? '');
  const [name, setName] = useState(given?.member ?? '');
  const [secret, setSecret] = useState(given?.secret ?? '');
  const attempt = useAttempt();
  const [isNewNeeded, setNewNeeded] = useState(false);
  const path = { organizationId: organization.trim() };
  const logOn = async (password: string) => {
    const body = { name: name.trim(), secret: password };
    const { result } = await send('auth_logon', { path, body });
    const token = result.token.access.secret;
    if (result.auth_code !== 'success') return token;
    keepSession(sessionOfMember(result));
    return undefined;
  };
  const start = () =>
    attempt.run(async () => {
      if ((await logOn(secret)) !== undefined) setNewNeeded(true);
    });
  if (isNewNeeded)
    return (
      <NewPasswordForm
        change={async (new_secret) => {
          // Logged on again, because the session of an invitation lasts for minutes.
          const token = await logOn(secret);
          if (token === undefined) return;
          await send('auth_change_password', { body: { old_secret: secret, new_secret } }, token);
          await logOn(new_secret);
        }}
      />
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Field
        label="Organization"
        isRequired
        autocomplete="organization"
        value={organization}
        onInput={setOrganization}
      />
      <Field
        label="Member (e-mail address)"
        isRequired
        autocomplete="username"
        value={name}
        onInput={setName}
      />
      <Field
        label="Password"
        isRequired
        type="password"
        autocomplete="current-password"
        value={secret}
        onInput={setSecret}
      />
      <Failure error={attempt.error} />
      <Submit isBusy={attempt.isBusy} />
    </form>
  );
}

function NewPasswordForm({ change }: { change: (secret: string) => Promise<void> }) {
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const { run, isBusy, error } = useAttempt();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          if (first !== second) throw new Error('The two passwords are not the same.');
          await change(first);
        });
      }}
    >
      <p>Choose a password of your own. The one that you were given ends with it.</p>
      <Field
        label="New password"
        isRequired
        type="password"
        autocomplete="new-password"
        value={first}
        onInput={setFirst}
      />
      <Field
        label="The same again"
        isRequired
        type="password"
        autocomplete="new-password"
        value={second}
        onInput={setSecond}
      />
      <Failure error={error} />
      <Submit isBusy={isBusy}>Save and log on</Submit>
    </form>
  );
}
