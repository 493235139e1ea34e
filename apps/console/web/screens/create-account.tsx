import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../api/client.js';
import { cache } from '../api/query.js';
import { Action } from '../parts/action.js';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { Dialog } from '../parts/dialog.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Field } from '../parts/field.js';

interface Props {
  onClose: () => void;
  onCreated?: (account: ManagementSchemas['Account']) => void;
}

/** The key makes a request that is sent twice create one account. */
export function CreateAccount({ onClose, onCreated }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [fullname, setFullname] = useState('');
  const [environment, setEnvironment] = useState('test');
  const { isBusy, error, run } = useAttempt();
  const create = () =>
    run(async (signal) => {
      const body = { name, environment, ...(fullname === '' ? {} : { fullname }) };
      const input = { body, idempotencyKey: key };
      const { account } = (await call('accounts_create', input, signal)).result;
      await cache.invalidateQueries({ queryKey: ['accounts_list'] });
      announce(`The account ${account.fullname} was created`);
      onCreated?.(account);
      onClose();
    });
  return (
    <Dialog title="New account" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field
          label="Name"
          isRequired
          value={name}
          onInput={setName}
          hint={
            <>
              For your programs: it is unique, such as <code>acme</code>.
            </>
          }
        />
        <Field label="Full name (optional)" value={fullname} onInput={setFullname} />
        <label>
          Environment
          <select
            value={environment}
            onChange={(event) => setEnvironment(event.currentTarget.value)}
          >
            <option value="test">test</option>
            <option value="prod">prod</option>
          </select>
        </label>
        <DialogButtons onClose={onClose} error={error}>
          <Action operation="accounts_create" kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Creating …' : 'Create account'}
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
