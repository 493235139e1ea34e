import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { serviceOrigin } from '../../api/service.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { Copy } from '../../parts/copy.js';
import { useNewCredential } from '../../parts/credentials/use-new-credential.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { Select } from '../../parts/select.js';

interface Props {
  pointId: string;
  /** Those at which an application is possible. */
  providers: Result<'capabilities_list_providers'>['result'];
  onClose: () => void;
}

/** Stores the client id and secret of an application at a provider. */
export function StoreApplication({ pointId, providers, onClose }: Props) {
  const [provider, setProvider] = useState<string>(providers[0]?.id ?? '');
  const { form, store, isBusy, error } = useNewCredential(pointId, 'o_auth_client');
  const chosen = providers.find(({ id }) => id === provider);
  const names = {
    name: provider, // by which the service finds it
    fullname: `Application at ${chosen?.vendor ?? provider}`,
  };
  const storeIt = () =>
    store(names, () => {
      announce('The application is stored');
      onClose();
    });
  const isShown = (place: string) => place === '/name' || place.startsWith('/config/');
  return (
    <FormDialog
      title="Store an application"
      operation="credentials_create"
      action="Store application"
      isBusy={isBusy}
      error={errorBeside(error, isShown)}
      onClose={onClose}
      onSubmit={storeIt}
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
      {form}
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
