import { useState } from 'preact/hooks';
import type { ManagementSchemas, OperationId } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { serviceOrigin } from '../../api/service.js';
import { errorBeside, faultAt, faultsOf } from '../../forms/faults.js';
import { useAttempt } from '../../parts/attempt.js';
import { Confirm } from '../../parts/confirm.js';
import { Field } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { NameFields } from '../../parts/name-fields.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { splitList } from '../../parts/split-list.js';
import { deleteRecord } from '../../parts/use-deletion.js';

export type Bridge = ManagementSchemas['BridgeGroup'];

interface Props {
  accountId: string;
  bridge: Bridge;
  onClose: () => void;
}

const readAgain = () => cache.invalidateQueries({ queryKey: ['bridges_list'] });

/** Creates a group of agents, and shows the credential by which they connect. */
export function CreateBridge({ accountId, onClose }: Omit<Props, 'bridge'>) {
  const [key] = useState(() => crypto.randomUUID());
  const [names, setNames] = useState({ name: '', fullname: '' });
  const [labels, setLabels] = useState('');
  const [isTried, setTried] = useState(false);
  const [credential, setCredential] = useState<string>();
  const { run, isBusy, error } = useAttempt();
  if (credential !== undefined) return <Credential text={credential} onClose={onClose} />;
  const create = () => {
    setTried(true);
    const [name, fullname] = [names.name.trim(), names.fullname.trim()];
    if (name === '') return;
    void run(async (signal) => {
      const body = { name, labels: splitList(labels), ...(fullname === '' ? {} : { fullname }) };
      const input = { path: { accountId }, body, idempotencyKey: key };
      setCredential((await call('bridges_create', input, signal)).result.credential);
      await readAgain();
    });
  };
  const faults = faultsOf(error);
  return (
    <FormDialog
      title="New bridge"
      operation="bridges_create"
      action="Create bridge"
      busy="Creating …"
      isBusy={isBusy}
      error={errorBeside(error, (place) => /^\/(?:name|fullname|labels)(?:\/|$)/.test(place))}
      onClose={onClose}
      onSubmit={create}
    >
      <p>
        Agents in the customer’s network connect to it, and integrations reach through them what is
        not on the internet.
      </p>
      <NameFields
        names={names}
        isTried={isTried}
        faults={faults}
        onChange={setNames}
        hint="By which integrations choose it: it is unique in the account, such as plant-north."
      />
      <Field
        label="Labels"
        value={labels}
        hint="Separated by commas. Integrations can choose all bridges with a label."
        fault={faultAt(faults, '/labels')}
        onInput={setLabels}
      />
    </FormDialog>
  );
}

/** Replaces the credential of a group, after a question. */
export function RotateBridge({ accountId, bridge, onClose }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [credential, setCredential] = useState<string>();
  if (credential !== undefined) return <Credential text={credential} onClose={onClose} />;
  const rotate = async (signal: AbortSignal) => {
    const input = { path: { accountId, bridgeId: bridge.id }, idempotencyKey: key };
    setCredential((await call('bridges_rotate_credential', input, signal)).result.credential);
    await readAgain();
  };
  return (
    <Confirm
      title={`Replace the credential of ${bridge.fullname}?`}
      operation="bridges_rotate_credential"
      action="Replace credential"
      work={rotate}
      onClose={onClose}
    >
      <p>
        Agents with the present credential are disconnected at once, and connect again when they
        have the new one. Until then, calls of integrations that need them fail. The bridge, its
        integrations and the known keys of its agents stay.
      </p>
    </Confirm>
  );
}

export function DeleteBridge({ accountId, bridge, onClose }: Props) {
  const { id: bridgeId, fullname } = bridge;
  const remove = async (signal: AbortSignal) => {
    const lists: OperationId[] = ['bridges_list'];
    await deleteRecord(
      'bridges_delete',
      { path: { accountId, bridgeId }, fullname, lists },
      signal,
    );
    onClose();
  };
  return (
    <Confirm
      title={`Delete ${fullname}?`}
      operation="bridges_delete"
      action="Delete bridge"
      work={remove}
      onClose={onClose}
    >
      <p>
        Its agents are disconnected, and its credential ends. While integrations need it, the
        service refuses to delete it and names them.
      </p>
    </Confirm>
  );
}

function Credential({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="The credential of the bridge"
      lead={
        <>
          The agent reads it from the file that <code>credential_file</code> of its{' '}
          <code>bridge-agent.yaml</code> names; <code>server</code> is{' '}
          <code>{serviceOrigin()}</code>. It is shown now and never again.
        </>
      }
      secrets={[{ name: 'Credential of the bridge', text }]}
      onClose={onClose}
    />
  );
}
