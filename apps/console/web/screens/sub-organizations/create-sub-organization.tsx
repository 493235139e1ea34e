import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { NameFields } from '../../parts/name-fields.js';

interface Props {
  onClose: () => void;
  onCreated: (created: ManagementSchemas['CreateOrganizationResponseResult']) => void;
}

/** The key makes a request that is sent twice create one. */
export function CreateSubOrganization({ onClose, onCreated }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [names, setNames] = useState({ name: '', fullname: '' });
  const [contact, setContact] = useState('');
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () => {
    setTried(true);
    if (names.name.trim() === '') return;
    void run(async (signal) => {
      const given = { ...names, contact };
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
  const places = ['/name', '/fullname', '/contact'];
  return (
    <FormDialog
      title="New sub-organization"
      operation="subOrgs_create"
      action="Create sub-organization"
      busy="Creating …"
      isBusy={isBusy}
      onClose={onClose}
      error={errorBeside(error, (place) => places.includes(place))}
      onSubmit={create}
    >
      <NameFields
        names={names}
        isTried={isTried}
        faults={faults}
        onChange={setNames}
        hint="For programs and logons: it is unique, such as acme-france."
      />
      <Field
        label="Contact (optional)"
        value={contact}
        hint="Whom you ask about it, such as an e-mail address."
        fault={faults.get('/contact')}
        onInput={setContact}
      />
    </FormDialog>
  );
}
