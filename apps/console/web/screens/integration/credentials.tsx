import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { credentialLabel } from '../../forms/fields.js';
import { Action } from '../../parts/action.js';
import { Loaded } from '../../parts/loaded.js';
import { Ago } from '../../parts/time.js';
import { type Credential, ReplaceSecret } from '../../parts/credentials/replace-secret.js';
import { ConnectLink } from '../../parts/connect-link.js';

type Integration = Result<'integrations_get'>['result'];

/** Credentials that the configuration refers to: those of the integration, and those that it shares with others of its account. */
export function Credentials({ integration }: { integration: Integration }) {
  const { id, account_id, provider_config } = integration;
  const config = JSON.stringify(provider_config ?? {});
  const used = [...new Set(config.match(/(?<=")crd_\w+(?=")/g) ?? [])];
  const query = { limit: used.length, filter: `id[in]${used.join(',')}` };
  const useOf = (ownerId: string) =>
    useRead('credentials_list', { path: { ownerId }, query }, undefined, used.length > 0);
  const own = useOf(id);
  const shared = useOf(account_id);
  const [open, setOpen] = useState<Credential>();
  const [replaced, setReplaced] = useState('');
  const [isLinking, setLinking] = useState(false);
  return (
    <section class="card" aria-labelledby="credentials">
      <h2 id="credentials">Credentials</h2>
      {used.length === 0 && <p class="empty">This configuration has no credential.</p>}
      {used.length > 0 && (
        <Loaded of={own} lines={2}>
          {({ result }) => {
            const all = [...result, ...(shared.data?.result ?? [])];
            return (
              <ul class="lines">
                {all.map((one) => (
                  <li key={one.id}>
                    <strong>
                      <bdi>{one.fullname}</bdi>
                    </strong>
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
                      name={`Replace secret: ${one.fullname}`}
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
      )}
      <p class="buttons start">
        <Action operation="connect_create_session" onClick={() => setLinking(true)}>
          Let the customer renew the access
        </Action>
      </p>
      {isLinking && (
        <ConnectLink
          accountId={account_id}
          integration={integration}
          onClose={() => setLinking(false)}
        />
      )}
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
