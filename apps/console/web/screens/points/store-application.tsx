import { useMemo, useState } from 'preact/hooks';
import type { Body, Result } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { serviceOrigin } from '../../api/service.js';
import { credentialFields } from '../../forms/fields.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { faultsIn, objectOf, type Values } from '../../forms/values.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Copy } from '../../parts/copy.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { Select } from '../../parts/select.js';

const kind = 'o_auth_client';

interface Props {
  pointId: string;
  /** Those at which an application is possible. */
  providers: Result<'capabilities_list_providers'>['result'];
  onClose: () => void;
}

/** Stores the client id and secret of an application at a provider. */
export function StoreApplication({ pointId, providers, onClose }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [provider, setProvider] = useState<string>(providers[0]?.id ?? '');
  const [values, setValues] = useState<Values>({});
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const fields = useMemo(() => credentialFields(kind), []);
  const { run, isBusy, error } = useAttempt();
  const chosen = providers.find(({ id }) => id === provider);
  const store = () => {
    const found = faultsIn(fields, values);
    setMissing(found);
    if (found.size > 0) return;
    void run(async (signal) => {
      const body = {
        name: provider, // by which the service finds it
        fullname: `Application at ${chosen?.vendor ?? provider}`,
        config: { type: kind, ...objectOf(fields, values) },
      } as Body<'credentials_create'>;
      const input = { path: { ownerId: pointId }, body, idempotencyKey: key };
      await call('credentials_create', input, signal);
      await cache.invalidateQueries({ queryKey: ['credentials_list'] });
      announce('The application is stored');
      onClose();
    });
  };
  const faults = new Map([...faultsOf(error, '/config'), ...missing]);
  const isShown = (place: string) => place === '/name' || place.startsWith('/config/');
  return (
    <FormDialog
      title="Store an application"
      operation="credentials_create"
      action="Store application"
      isBusy={isBusy}
      error={errorBeside(error, isShown)}
      onClose={onClose}
      onSubmit={store}
    >
      <Select
        label="System"
        value={provider}
        fault={faultsOf(error).get('/name')}
        onChange={setProvider}
      >
        {Object.fromEntries(providers.map(({ id, fullname }) => [id, fullname]))}
      </Select>
      <p>
        Register an application at {chosen?.vendor}
        {chosen?.authorization && (
          <>
            {' '}
            (
            <a href={chosen.authorization.source} target="_blank" rel="noopener noreferrer">
              its documentation
            </a>
            )
          </>
        )}{' '}
        with this redirect address: <RedirectAddress />
      </p>
      {chosen?.authorization && (
        <p class="hint">It asks customers for: {chosen.authorization.scopes.join(', ')}.</p>
      )}
      <SchemaForm
        fields={fields}
        values={values}
        faults={faults}
        onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
      />
    </FormDialog>
  );
}

/** The address of this service to which providers send people back. */
export function RedirectAddress() {
  const address = `${serviceOrigin()}/connect/oauth/callback`;
  return (
    <>
      <code>{address}</code> <Copy text={address} name="redirect address" />
    </>
  );
}
