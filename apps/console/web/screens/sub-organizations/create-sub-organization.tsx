import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogButtons } from '../../parts/dialog-buttons.js';
import { Field } from '../../parts/field.js';

interface Props {
  onClose: () => void;
  onCreated: (created: ManagementSchemas['CreateOrganizationResponseResult']) => void;
}

/** The key makes a request that is sent twice create one. */
export function CreateSubOrganization({ onClose, onCreated }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [fullname, setFullname] = useState('');
  const [contact, setContact] = useState('');
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () => {
    setTried(true);
    if (name.trim() === '') return;
    void run(async (signal) => {
      const given = { name, fullname, contact };
      const body = Object.fromEntries(
        Object.entries(given)
          .map(([field, text]) => [field, text.trim()] as const)
          .filter(([, text]) => text !== ''),
      );
      const { result } = await call('subOrgs_create', { body, idempotencyKey: key }, signal);
      await cache.invalidateQueries({ queryKey: ['subOrgs_list'] });
      announce(`${result.organization.fullname} is created`);
      onCreated(result);
    });
  };
  const faults = faultsOf(error);
  const isMarked = ['/name', '/fullname', '/contact'].some((place) => faults.has(place));
  return (
    <Dialog title="New sub-organization" onClose={onClose}>
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
          hint="For programs and logons: it is unique, such as acme-france."
          fault={isTried && name.trim() === '' ? 'This is needed.' : faults.get('/name')}
          onInput={setName}
        />
        <Field
          label="Full name (optional)"
          value={fullname}
          fault={faults.get('/fullname')}
          onInput={setFullname}
        />
        <Field
          label="Contact (optional)"
          value={contact}
          hint="Whom you ask about it, such as an e-mail address."
          fault={faults.get('/contact')}
          onInput={setContact}
        />
        <DialogButtons onClose={onClose} error={isMarked ? undefined : error}>
          <Action operation="subOrgs_create" kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Creating …' : 'Create sub-organization'}
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
