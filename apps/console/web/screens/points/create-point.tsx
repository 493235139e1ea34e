import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogButtons } from '../../parts/dialog-buttons.js';
import { Field } from '../../parts/field.js';
import { Select } from '../../parts/select.js';
import { type Chosen, environmentsOf, every } from './point-values.js';
import { ProviderChoice } from './provider-choice.js';

const everything: Chosen = { test: [every], prod: [every] };

/** The key makes a request that is sent twice create one point. */
export function CreatePoint({ onClose }: { onClose: () => void }) {
  const domains = useRead('capabilities_list_connectors').data?.result ?? [];
  const [key] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [fullname, setFullname] = useState('');
  const [domain, setDomain] = useState('ticketing');
  const [chosen, setChosen] = useState(everything);
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () => {
    setTried(true);
    if (name.trim() === '') return;
    void run(async (signal) => {
      const body = {
        ...{ name: name.trim(), connector: domain, environments: environmentsOf(chosen) },
        ...(fullname.trim() === '' ? {} : { fullname: fullname.trim() }),
      };
      const { result } = await call(
        'integrationPoints_create',
        { body, idempotencyKey: key },
        signal,
      );
      await cache.invalidateQueries({ queryKey: ['integrationPoints_list'] });
      announce(`${result.fullname ?? result.name} is created`);
      onClose();
      go(`/points/${result.id}`);
    });
  };
  const faults = faultsOf(error);
  const isMarked = faults.has('/name') || faults.has('/fullname');
  return (
    <Dialog title="New integration point" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <Field
          label="Name"
          isRequired
          value={name}
          hint="For your programs: it is unique, such as help-desk."
          fault={isTried && name.trim() === '' ? 'This is needed.' : faults.get('/name')}
          onInput={setName}
        />
        <Field
          label="Full name (optional)"
          value={fullname}
          fault={faults.get('/fullname')}
          onInput={setFullname}
        />
        <Select
          label="Domain"
          value={domain}
          onChange={(id) => {
            setDomain(id);
            setChosen(everything);
          }}
        >
          {Object.fromEntries(domains.map((one) => [one.id, one.fullname]))}
        </Select>
        <ProviderChoice domain={domain} chosen={chosen} onChange={setChosen} />
        <DialogButtons onClose={onClose} error={isMarked ? undefined : error}>
          <Action operation="integrationPoints_create" kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Creating …' : 'Create integration point'}
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
