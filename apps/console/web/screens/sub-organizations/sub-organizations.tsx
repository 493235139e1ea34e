import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { useRead } from '../../api/query.js';
import { RecordList } from '../../parts/record-list.js';
import { Action } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { NewSecret } from '../../parts/new-secret.js';
import { Permitted } from '../../parts/permitted.js';
import { Ago } from '../../parts/time.js';
import { TypedDeletion } from '../../parts/typed-deletion.js';
import { deleteRecord, useDeletion } from '../../parts/use-deletion.js';
import { CreateSubOrganization } from './create-sub-organization.js';

type Organization = ManagementSchemas['Organization'];
type Created = ManagementSchemas['CreateOrganizationResponseResult'];
type Open = { kind: 'new' } | { kind: 'created'; created: Created };

/** Organizations of an organization's own customers, which are tenants like any other. */
export function SubOrganizationsScreen() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <>
      <h1 tabIndex={-1}>Sub-organizations</h1>
      <p class="lead">
        A sub-organization is separate like any other: you list and delete it, and cannot see its
        accounts, integrations or tokens.
      </p>
      <div class="toolbar">
        <Action operation="subOrgs_create" kind="primary" onClick={() => setOpen({ kind: 'new' })}>
          New sub-organization
        </Action>
      </div>
      {open?.kind === 'new' && (
        <CreateSubOrganization
          onClose={close}
          onCreated={(created) => setOpen({ kind: 'created', created })}
        />
      )}
      {open?.kind === 'created' && (
        <NewSecret
          title={`The first token of ${open.created.organization.fullname}`}
          lead="Give it to those who administer the sub-organization, by a way that nobody else reads. It is shown now and never again; you have no other access to the sub-organization."
          pair={open.created.token}
          onClose={close}
        />
      )}
      <Permitted operation="subOrgs_list" what="sub-organizations">
        <List />
      </Permitted>
    </>
  );
}

function List() {
  const organizations = useRead('subOrgs_list');
  const deletion = useDeletion('subOrgs_delete', (organization: Organization, onClose) => (
    <Deletion organization={organization} onClose={onClose} />
  ));
  return (
    <>
      {deletion.dialog}
      <RecordList
        of={organizations}
        lines={5}
        columns={['Sub-organization', 'State', 'Created', 'Id', 'Change']}
        empty="There are no sub-organizations. Most installations need none: customers are accounts."
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <bdi>{one.fullname}</bdi>
              <br />
              <code>{one.name}</code>
            </th>
            <td>{one.state === 'disabled' ? 'Disabled by the operator' : 'In use'}</td>
            <td>
              <Ago time={one.created_at} />
            </td>
            <td>
              <Id value={one.id} />
            </td>
            <td>{deletion.button(one)}</td>
          </tr>
        )}
      </RecordList>
    </>
  );
}

function Deletion({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { id, name, fullname } = organization;
  const remove = async (signal: AbortSignal) => {
    const path = { organizationId: id };
    await deleteRecord('subOrgs_delete', { path, fullname, lists: ['subOrgs_list'] }, signal);
    onClose();
  };
  return (
    <TypedDeletion
      operation={'subOrgs_delete'}
      fullname={fullname}
      name={name}
      remove={remove}
      onClose={onClose}
      action="Delete sub-organization"
    >
      <p>
        All its accounts, integrations, credentials, members, tokens and audit records go with it,
        and its tokens open nothing from then on. This cannot be undone.
      </p>
    </TypedDeletion>
  );
}
