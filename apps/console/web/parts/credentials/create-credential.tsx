import { useMemo, useState } from 'preact/hooks';
import type { Body } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { credentialFields, credentialKindNames, credentialLabel } from '../../forms/fields.js';
import { faultsOf } from '../../forms/faults.js';
import { faultsIn, objectOf, type Values } from '../../forms/values.js';
import { announce } from '../announce.js';
import { useAttempt } from '../attempt.js';
import { Field } from '../field.js';
import { FormDialog } from '../form-dialog.js';
import { SchemaForm } from '../schema-form.js';
import { Select } from '../select.js';

const [firstKind = ''] = credentialKindNames;

/** Stores a credential that several integrations of an account can use. */
export function CreateCredential({
  accountId,
  onClose,
}: {
  accountId: string;
  onClose: () => void;
}) {
  const [key] = useState(() => crypto.randomUUID());
  const [fullname, setFullname] = useState('');
  const [kind, setKind] = useState(firstKind);
  const [values, setValues] = useState<Values>({});
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const fields = useMemo(() => credentialFields(kind), [kind]);
  const { run, isBusy, error } = useAttempt();
  const create = () => {
    const found = faultsIn(fields, values);
    setMissing(found);
    if (found.size > 0) return;
    void run(async (signal) => {
      const body = {
        ...(fullname.trim() === '' ? {} : { fullname: fullname.trim() }),
        config: { type: kind, ...objectOf(fields, values) },
      } as Body<'credentials_create'>;
      const input = { path: { ownerId: accountId }, body, idempotencyKey: key };
      await call('credentials_create', input, signal);
      await cache.invalidateQueries({ queryKey: ['credentials_list'] });
      announce('The credential is stored');
      onClose();
    });
  };
  const faults = new Map([...faultsOf(error, '/config'), ...missing]);
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
          setValues({});
          setMissing(new Map());
        }}
      >
        {Object.fromEntries(credentialKindNames.map((one) => [one, credentialLabel(one)]))}
      </Select>
      <SchemaForm
        fields={fields}
        values={values}
        faults={faults}
        onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
      />
    </FormDialog>
  );
}
