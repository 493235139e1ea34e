import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';

/** Changes the password of the member who has logged on. The service ends their other sessions, and this one stays. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const [old, setOld] = useState('');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const save = () => {
    setTried(true);
    if (old === '' || first === '' || first !== second) return;
    void run(async (signal) => {
      const body = { old_secret: old, new_secret: first };
      await call('auth_change_password', { body }, signal);
      announce('Your password is changed');
      onClose();
    });
  };
  const needed = (value: string) => (isTried && value === '' ? 'This is needed.' : undefined);
  const faults = faultsOf(error);
  return (
    <FormDialog
      title="Change your password"
      operation="auth_change_password"
      action="Change password"
      isBusy={isBusy}
      error={errorBeside(error, (place) => ['/old_secret', '/new_secret'].includes(place))}
      onClose={onClose}
      onSubmit={save}
    >
      <p>Your other sessions end, in every browser. This one stays.</p>
      <Field
        label="Present password"
        isRequired
        type="password"
        autocomplete="current-password"
        value={old}
        hint="Members who log on by an identity provider alone have none."
        fault={needed(old) ?? faults.get('/old_secret')}
        onInput={setOld}
      />
      <Field
        label="New password"
        isRequired
        type="password"
        autocomplete="new-password"
        value={first}
        fault={needed(first) ?? faults.get('/new_secret')}
        onInput={setFirst}
      />
      <Field
        label="The same again"
        isRequired
        type="password"
        autocomplete="new-password"
        value={second}
        fault={isTried && first !== second ? 'The two passwords are not the same.' : undefined}
        onInput={setSecond}
      />
    </FormDialog>
  );
}
