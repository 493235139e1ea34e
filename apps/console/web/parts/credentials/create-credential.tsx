import { useState } from 'preact/hooks';
import { credentialKindNames, credentialLabel } from '../../forms/fields.js';
import { announce } from '../announce.js';
import { Field } from '../field.js';
import { FormDialog } from '../form-dialog.js';
import { Select } from '../select.js';
import { useNewCredential } from './use-new-credential.js';

const [firstKind = ''] = credentialKindNames;

/** Stores a credential that several integrations of an account can use. */
export function CreateCredential({
  accountId,
  onClose,
}: {
  accountId: string;
  onClose: () => void;
}) {
  const [fullname, setFullname] = useState('');
  const [kind, setKind] = useState(firstKind);
  const { form, store, clear, isBusy, error } = useNewCredential(accountId, kind);
  const create = () =>
    store(fullname.trim() === '' ? {} : { fullname: fullname.trim() }, () => {
      announce('The credential is stored');
      onClose();
    });
  return (
    <FormDialog
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      title="New credential"
      operation="credentials_create"
      action="Store credential"
      onSubmit={create}
    >
      <p>It is stored encrypted and never shown again. Integrations of the account can use it.</p>
      <Field
        label="Name (optional)"
        value={fullname}
        hint="What it opens, such as Jira, read only."
        onInput={setFullname}
      />
      <Select
        label="Kind"
        value={kind}
        onChange={(value) => {
          setKind(value);
          clear();
        }}
      >
        {Object.fromEntries(credentialKindNames.map((one) => [one, credentialLabel(one)]))}
      </Select>
      {form}
    </FormDialog>
  );
}
