import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Copy } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { Permitted } from '../../parts/permitted.js';
import { Table } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { TypedDeletion } from '../../parts/typed-deletion.js';
import { EditSso } from './edit-sso.js';
import type { Sso } from './sso-values.js';

type Open = { kind: 'new' } | { kind: 'change' | 'delete'; sso: Sso };

/** Identity providers by which members log on. */
export function SignOnScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Single sign-on</h1>
      <p class="lead">
        Members log on through an identity provider of your company. It says who somebody is; what
        they may do is said by their roles here.
      </p>
      <Permitted operation="auth_list_sso" what="identity providers">
        <Providers />
      </Permitted>
    </>
  );
}

function Providers() {
  const metadata = useRead('auth_get_sso_metadata');
  const all = useRead('auth_list_sso');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { oidc, saml } = metadata.data?.result ?? {};
  return (
    <>
      <section class="card" aria-labelledby="metadata">
        <h2 id="metadata">What the identity provider asks you for</h2>
        <Loaded of={metadata} lines={3}>
          {() => (
            <Table columns={['Field', 'Value', 'Copy']}>
              <Given name="OpenID Connect: redirect URI" value={oidc?.redirect_uri} />
              <Given name="SAML: assertion consumer service (ACS)" value={saml?.acs_url} />
              <Given name="SAML: entity ID of this service" value={saml?.sp_entity_id} />
            </Table>
          )}
        </Loaded>
      </section>
      <div class="toolbar">
        <Action operation="auth_create_sso" kind="primary" onClick={() => setOpen({ kind: 'new' })}>
          New identity provider
        </Action>
      </div>
      {open?.kind === 'delete' && <Deletion sso={open.sso} onClose={close} />}
      {open && open.kind !== 'delete' && (
        <EditSso
          sso={open.kind === 'change' ? open.sso : undefined}
          entityId={saml?.sp_entity_id ?? ''}
          onClose={close}
        />
      )}
      <Loaded of={all} lines={4}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty card">
              No identity provider is configured. Members log on with their passwords.
            </p>
          ) : (
            <>
              <List all={result} onOpen={setOpen} />
              <p class="hint">
                Try one before you tell others:{' '}
                <a href="/console/" target="_blank" rel="noopener">
                  open the logon in another tab
                </a>
                , choose “Single sign-on”, and stay logged on here until it works.
              </p>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Given({ name, value }: { name: string; value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <code>{value}</code>
      </td>
      <td>
        <Copy text={value} name={name} />
      </td>
    </tr>
  );
}

function List({ all, onOpen }: { all: readonly Sso[]; onOpen: (open: Open) => void }) {
  return (
    <Table
      columns={[
        'Identity provider',
        'Kind',
        'Address',
        'On the logon page',
        'Last change',
        'Change',
      ]}
    >
      {all.map((sso) => {
        const { id, fullname, identity_provider: provider, listed, updated_at: at } = sso;
        return (
          <tr key={id}>
            <th scope="row">
              <bdi>{fullname}</bdi>
            </th>
            <td>{provider.type === 'oidc' ? 'OpenID Connect' : 'SAML 2.0'}</td>
            <td>
              <code>{provider.type === 'oidc' ? provider.issuer_url : provider.idp_sso_url}</code>
            </td>
            <td>{listed ? 'yes' : 'no'}</td>
            <td>
              <Ago time={at} />
            </td>
            <td>
              <span class="changes">
                <Action
                  operation="auth_update_sso"
                  kind="small"
                  name={`Change ${fullname}`}
                  onClick={() => onOpen({ kind: 'change', sso })}
                >
                  Change
                </Action>
                <Action
                  operation="auth_delete_sso"
                  kind="small"
                  name={`Delete ${fullname}`}
                  onClick={() => onOpen({ kind: 'delete', sso })}
                >
                  Delete
                </Action>
              </span>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Deletion({ sso: { id, name, fullname }, onClose }: { sso: Sso; onClose: () => void }) {
  const remove = async (signal: AbortSignal) => {
    await call('auth_delete_sso', { path: { ssoId: id } }, signal);
    await cache.invalidateQueries({ queryKey: ['auth_list_sso'] });
    announce(`${fullname} is deleted`);
    onClose();
  };
  return (
    <TypedDeletion
      operation={'auth_delete_sso'}
      name={name}
      fullname={fullname}
      remove={remove}
      onClose={onClose}
      action="Delete identity provider"
    >
      <p>
        Nobody can log on through it from then on. Make sure that an administrator has a password or
        another identity provider.
      </p>
    </TypedDeletion>
  );
}
