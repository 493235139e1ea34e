import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../api/client.js';
import { cache, useRead } from '../api/query.js';
import { Action } from '../parts/action.js';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { Dialog } from '../parts/dialog.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Field } from '../parts/field.js';
import { Loaded } from '../parts/loaded.js';

const maxListed = 200;
const maxNamed = 8;

interface Props {
  account: Result<'accounts_list'>['result'][number];
  onClose: () => void;
  onDeleted?: () => void;
}

/** Deletes an account, once its name was typed; says what is deleted with it. */
export function DeleteAccount({ account, onClose, onDeleted }: Props) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const { run, isBusy, error } = useAttempt();
  const remove = () => {
    if (typed.trim() !== account.name) {
      setFault(`Type ${account.name} to delete this account.`);
      return;
    }
    void run(async (signal) => {
      await call('accounts_delete', { path: { accountId: account.id } }, signal);
      for (const id of ['accounts_list', 'integrations_list', 'status_list'])
        void cache.invalidateQueries({ queryKey: [id] });
      announce(`${account.fullname} is deleted`);
      onClose();
      onDeleted?.();
    });
  };
  return (
    <Dialog title={`Delete ${account.fullname}?`} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          remove();
        }}
      >
        <WhatGoes accountId={account.id} />
        <Field
          label={`Type ${account.name} to confirm`}
          value={typed}
          onInput={(text) => {
            setTyped(text);
            setFault(undefined);
          }}
          fault={fault}
          autocomplete="off"
        />
        <DialogButtons onClose={onClose} error={error}>
          <Action operation="accounts_delete" kind="danger" type="submit" isBusy={isBusy}>
            Delete account
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function WhatGoes({ accountId }: { accountId: string }) {
  const query = { limit: maxListed };
  const integrations = useRead('integrations_list_account', { path: { accountId }, query });
  const credentials = useRead('credentials_list', { path: { ownerId: accountId }, query });
  const shared = credentials.data?.result.length;
  return (
    <Loaded of={integrations} lines={2}>
      {({ result }) => (
        <div>
          <p>With it are deleted, and cannot be brought back:</p>
          <ul class="bullets">
            <li>
              {counted(result.length, 'integration', 'integrations')}
              {result.length > 0 &&
                `: ${result
                  .slice(0, maxNamed)
                  .map(({ fullname }) => fullname)
                  .join(', ')}${result.length > maxNamed ? ' …' : ''}`}
              , with their credentials and counters
            </li>
            {shared !== undefined && (
              <li>{counted(shared, 'credential of the account', 'credentials of the account')}</li>
            )}
          </ul>
          <p class="hint">
            Programs that use tokens of these integrations are refused from then on.
          </p>
        </div>
      )}
    </Loaded>
  );
}

function counted(count: number, one: string, many: string): string {
  if (count === 0) return `no ${many}`;
  if (count === 1) return `one ${one}`;
  return `${count === maxListed ? `at least ${count}` : count} ${many}`;
}
