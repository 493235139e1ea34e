import { useMemo, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { credentialFields, credentialLabel } from '../../forms/fields.js';
import { faultsIn, objectOf, textsOf } from '../../forms/values.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogButtons } from '../../parts/dialog-buttons.js';
import { Loaded } from '../../parts/loaded.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { Ago } from '../../parts/time.js';

const maxListed = 200;

type Integration = Result<'integrations_get'>['result'];
type Credential = Result<'credentials_list'>['result'][number];

/** Credentials that the configuration refers to: those of the integration, and those that it shares with others of its account. */
export function Credentials({ integration }: { integration: Integration }) {
  const { id, account_id, provider_config } = integration;
  const query = { limit: maxListed };
  const own = useRead('credentials_list', { path: { ownerId: id }, query });
  const shared = useRead('credentials_list', { path: { ownerId: account_id }, query });
  const [open, setOpen] = useState<Credential>();
  const [replaced, setReplaced] = useState('');
  const used = JSON.stringify(provider_config ?? {});
  return (
    <section class="card" aria-labelledby="credentials">
      <h2 id="credentials">Credentials</h2>
      <Loaded of={own} lines={2}>
        {({ result }) => {
          const all = [...result, ...(shared.data?.result ?? [])].filter(
            (one, index, list) =>
              used.includes(`"${one.id}"`) &&
              list.findIndex((other) => other.id === one.id) === index,
          );
          if (all.length === 0) return <p class="empty">This configuration has no credential.</p>;
          return (
            <ul class="lines">
              {all.map((one) => (
                <li key={one.id}>
                  <strong>{one.fullname}</strong>
                  <small>
                    {credentialLabel(one.config?.type ?? '')}
                    {one.owner_type === 'account' && ' · shared with others of the account'} ·
                    changed <Ago time={one.updated_at} />
                    {one.expires && (
                      <>
                        {' '}
                        · expires <Ago time={one.expires} />
                      </>
                    )}
                  </small>
                  <Action
                    operation="credentials_patch"
                    kind="small"
                    name={`Replace the secret of ${one.fullname}`}
                    onClick={() => setOpen(one)}
                  >
                    Replace secret
                  </Action>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <p role="status">{replaced}</p>
      {open && (
        <ReplaceSecret
          credential={open}
          ownerId={open.owner_type === 'account' ? account_id : id}
          onClose={() => setOpen(undefined)}
          onReplaced={() => {
            setOpen(undefined);
            setReplaced('The secret is replaced. “Verify now” asks the provider whether it works.');
          }}
        />
      )}
    </section>
  );
}

interface ReplaceProps {
  credential: Credential;
  ownerId: string;
  onClose: () => void;
  onReplaced: () => void;
}

/** Stores another secret. The API takes no test for credentials, so of two people who do this at once the last one wins. */
function ReplaceSecret({ credential, ownerId, onClose, onReplaced }: ReplaceProps) {
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
    <Dialog title={`Replace the secret of ${credential.fullname}`} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          replace();
        }}
      >
        <p>The present secret is never shown, and is used until you save another one.</p>
        <SchemaForm
          fields={fields}
          values={values}
          faults={missing}
          onChange={(pointer, value) => setValues({ ...values, [pointer]: value })}
        />
        <DialogButtons onClose={onClose} error={error}>
          <Action operation="credentials_patch" kind="primary" type="submit" isBusy={isBusy}>
            Save
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
