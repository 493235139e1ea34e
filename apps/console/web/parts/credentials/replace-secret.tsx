import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { credentialFields } from '../../forms/fields.js';
import { faultsIn, objectOf, textsOf } from '../../forms/values.js';
import { announce } from '../announce.js';
import { useAttempt } from '../attempt.js';
import { FormDialog } from '../form-dialog.js';
import { SchemaForm } from '../schema-form.js';

export type Credential = Result<'credentials_list'>['result'][number];

interface ReplaceProps {
  credential: Credential;
  ownerId: string;
  onClose: () => void;
  onReplaced: () => void;
  /** Says who uses it, where several may. */
  children?: ComponentChildren;
}

/** Stores another secret. The API takes no test for credentials, so of two people who do this at once the last one wins. */
export function ReplaceSecret(props: ReplaceProps) {
  const { credential, ownerId, onClose, onReplaced, children } = props;
  const { config } = credential;
  const type = config?.type ?? '';
  const fields = useMemo(() => credentialFields(type), [type]);
  const [values, setValues] = useState(() => textsOf(fields, { ...config }));
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const { run, error, isBusy } = useAttempt();
  const replace = () => {
    const found = faultsIn(fields, values);
    setMissing(found);
    if (found.size > 0) return;
    void run(async (signal) => {
      const path = { ownerId, credentialId: credential.id };
      const value = { type, ...objectOf(fields, values) };
      const body = [{ op: 'replace', path: '/config', value }];
      await call('credentials_patch', { path, body }, signal);
      await cache.invalidateQueries({ queryKey: ['credentials_list'] });
      announce('The secret is replaced');
      onReplaced();
    });
  };
  return (
    <FormDialog
      title={`Replace the secret of ${credential.fullname}`}
      operation="credentials_patch"
      action="Save"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={replace}
    >
      <p>
        The present secret is never shown, and is used until you save another one. It cannot be
        brought back then.
      </p>
      {children}
      <SchemaForm
        fields={fields}
        values={values}
        faults={missing}
        onChange={(pointer, value) => setValues({ ...values, [pointer]: value })}
      />
    </FormDialog>
  );
}
