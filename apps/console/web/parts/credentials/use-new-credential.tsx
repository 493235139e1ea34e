import { useMemo, useState } from 'preact/hooks';
import type { Body } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { credentialFields } from '../../forms/fields.js';
import { faultsOf } from '../../forms/faults.js';
import { faultsIn, objectOf, type Values } from '../../forms/values.js';
import { useAttempt } from '../attempt.js';
import { SchemaForm } from '../schema-form.js';

/** The fields of a credential of a kind that an owner has not stored yet, and what stores it. */
export function useNewCredential(ownerId: string, kind: string) {
  const [key] = useState(() => crypto.randomUUID());
  const [values, setValues] = useState<Values>({});
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const fields = useMemo(() => credentialFields(kind), [kind]);
  const { run, isBusy, error } = useAttempt();
  /** Stores it, unless a field that is needed is empty. */
  const store = (names: { name?: string; fullname?: string }, onStored: () => void) => {
    const found = faultsIn(fields, values);
    setMissing(found);
    if (found.size > 0) return;
    void run(async (signal) => {
      const body = {
        ...names,
        config: { type: kind, ...objectOf(fields, values) },
      } as Body<'credentials_create'>;
      await call('credentials_create', { path: { ownerId }, body, idempotencyKey: key }, signal);
      await cache.invalidateQueries({ queryKey: ['credentials_list'] });
      onStored();
    });
  };
  /** Empties the fields, for another kind. */
  const clear = () => {
    setValues({});
    setMissing(new Map());
  };
  const form = (
    <SchemaForm
      fields={fields}
      values={values}
      faults={new Map([...faultsOf(error, '/config'), ...missing])}
      onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
    />
  );
  return { form, store, clear, isBusy, error };
}
