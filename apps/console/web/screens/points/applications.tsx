import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { Permitted } from '../../parts/permitted.js';
import { ProblemBox } from '../../parts/problem.js';
import { RecordList } from '../../parts/record-list.js';
import { Ago } from '../../parts/time.js';
import { Confirm } from '../../parts/confirm.js';
import { deleteRecord, useDeletion } from '../../parts/use-deletion.js';
import { type Credential, ReplaceSecret } from '../../parts/credentials/replace-secret.js';
import type { Point } from './point-values.js';
import { RedirectAddress, StoreApplication } from './store-application.js';

const maxListed = 200;

type Provider = Result<'capabilities_list_providers'>['result'][number];
type Open = { kind: 'new' } | { kind: 'replace'; credential: Credential };

/** Applications of the host at providers, by which customers grant access there instead of copying a token; nothing where no provider of the domain has that. */
export function Applications({ point }: { point: Point }) {
  const [open, setOpen] = useState<Open>();
  const providers = useRead('capabilities_list_providers', {
    query: { expand: 'provider_config' },
  });
  const all = (providers.data?.result ?? []).filter(
    ({ connector_id, authorization }) => connector_id === point.connector && authorization,
  );
  if (providers.error) return <ProblemBox error={providers.error} />;
  if (all.length === 0) return null;
  const onClose = () => setOpen(undefined);
  return (
    <section class="card stack" aria-labelledby="applications">
      <div class="toolbar">
        <h2 id="applications">“Connect with …”</h2>
        <Action operation="credentials_create" onClick={() => setOpen({ kind: 'new' })}>
          Store an application
        </Action>
      </div>
      <p>
        With an application of yours at the provider, customers grant access on a page of the
        provider, and copy no token. Here it is possible for {namesOf(all)}. Register the
        application there with this redirect address: <RedirectAddress />
      </p>
      {open?.kind === 'new' && (
        <StoreApplication pointId={point.id} providers={all} onClose={onClose} />
      )}
      {open?.kind === 'replace' && (
        <ReplaceSecret
          credential={open.credential}
          ownerId={point.id}
          onClose={onClose}
          onReplaced={onClose}
        />
      )}
      <Permitted operation="credentials_list" what="the applications">
        <List point={point} providers={all} onOpen={setOpen} />
      </Permitted>
    </section>
  );
}

function namesOf(providers: readonly Provider[]): string {
  return new Intl.ListFormat('en').format([...new Set(providers.map(({ vendor }) => vendor))]);
}

interface ListProps {
  point: Point;
  providers: readonly Provider[];
  onOpen: (open: Open) => void;
}

function List({ point, providers, onOpen }: ListProps) {
  const input = { path: { ownerId: point.id }, query: { limit: maxListed } };
  const credentials = useRead('credentials_list', input);
  const deletion = useDeletion('credentials_delete', (credential: Credential, onClose) => (
    <Deletion point={point} credential={credential} onClose={onClose} />
  ));
  const systemOf = ({ name }: Credential) => providers.find(({ id }) => id === name)?.fullname;
  return (
    <>
      {deletion.dialog}
      <RecordList
        of={credentials}
        lines={1}
        columns={['System', 'Last change', 'Change']}
        empty="None is stored: customers give a token of theirs."
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              {systemOf(one) ?? <bdi>{one.fullname}</bdi>} <code>{one.name}</code>
            </th>
            <td>
              <Ago time={one.updated_at} />
            </td>
            <td>
              <span class="changes">
                <Action
                  operation="credentials_patch"
                  kind="small"
                  name={`Replace secret: ${systemOf(one) ?? one.fullname}`}
                  onClick={() => onOpen({ kind: 'replace', credential: one })}
                >
                  Replace secret
                </Action>
                {deletion.button(one)}
              </span>
            </td>
          </tr>
        )}
      </RecordList>
    </>
  );
}

interface DeletionProps {
  point: Point;
  credential: Credential;
  onClose: () => void;
}

function Deletion({ point, credential: { id, fullname }, onClose }: DeletionProps) {
  const remove = async (signal: AbortSignal) => {
    const path = { ownerId: point.id, credentialId: id };
    await deleteRecord(
      'credentials_delete',
      { path, fullname, lists: ['credentials_list'] },
      signal,
    );
    onClose();
  };
  return (
    <Confirm
      title={`Delete the application ${fullname}?`}
      operation="credentials_delete"
      action="Delete application"
      work={remove}
      onClose={onClose}
    >
      <p>
        Customers of this integration point are asked for a token again. Access that they have
        granted through it is no longer renewed: their integrations ask them to connect again when
        it ends.
      </p>
    </Confirm>
  );
}
