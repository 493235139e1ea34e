import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../api/client.js';
import { cache } from '../api/query.js';
import { errorBeside, faultsOf } from '../forms/faults.js';
import { announce } from './announce.js';
import { useAttempt } from './attempt.js';
import { FormDialog } from './form-dialog.js';
import { NameFields } from './name-fields.js';
import { Select } from './select.js';

interface Props {
  onClose: () => void;
  onCreated?: (account: ManagementSchemas['Account']) => void;
}

/** The key makes a request that is sent twice create one account. */
export function CreateAccount({ onClose, onCreated }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [names, setNames] = useState({ name: '', fullname: '' });
  const [environment, setEnvironment] = useState('test');
  const [isTried, setTried] = useState(false);
  const { isBusy, error, run } = useAttempt();
  const create = () => {
    setTried(true);
    const [name, fullname] = [names.name.trim(), names.fullname.trim()];
    if (name === '') return;
    void run(async (signal) => {
      const body = { name, environment, ...(fullname === '' ? {} : { fullname }) };
      const input = { body, idempotencyKey: key };
      const { account } = (await call('accounts_create', input, signal)).result;
      await cache.invalidateQueries({ queryKey: ['accounts_list'] });
      announce(`The account ${account.fullname} was created`);
      onCreated?.(account);
      onClose();
    });
  };
  const faults = faultsOf(error);
  return (
    <FormDialog
      isBusy={isBusy}
      onClose={onClose}
      title="New account"
      operation="accounts_create"
      action="Create account"
      busy="Creating …"
      error={errorBeside(error, (place) => ['/name', '/fullname'].includes(place))}
      onSubmit={create}
    >
      <NameFields
        names={names}
        isTried={isTried}
        faults={faults}
        onChange={setNames}
        hint="For your programs: it is unique, such as acme."
      />
      <Select label="Environment" value={environment} onChange={setEnvironment}>
        {{ test: 'test', prod: 'prod' }}
      </Select>
    </FormDialog>
  );
}
