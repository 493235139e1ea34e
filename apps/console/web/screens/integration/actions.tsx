import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Confirm } from '../../parts/confirm.js';
import { counted } from '../../parts/counted.js';
import { EndingTokens } from '../../parts/tokens/ending-tokens.js';
import { TypedDeletion } from '../../parts/typed-deletion.js';

interface Props {
  integration: Result<'integrations_get'>['result'];
}

/** Reset of the counters, and deletion. */
export function Actions({ integration }: Props) {
  const [open, setOpen] = useState<'reset' | 'delete'>();
  const onClose = () => setOpen(undefined);
  return (
    <section class="card stack" aria-labelledby="actions">
      <h2 id="actions">Reset or delete</h2>
      <div class="changes">
        <Action operation="status_reset" onClick={() => setOpen('reset')}>
          Reset counters
        </Action>
        <Action operation="integrations_delete" kind="danger" onClick={() => setOpen('delete')}>
          Delete integration
        </Action>
      </div>
      {open === 'reset' && <Reset integration={integration} onClose={onClose} />}
      {open === 'delete' && <Deletion integration={integration} onClose={onClose} />}
    </section>
  );
}

const pathOf = ({ account_id, id }: Props['integration']) => ({
  accountId: account_id,
  integrationId: id,
});

function Reset({ integration, onClose }: Props & { onClose: () => void }) {
  const reset = async (signal: AbortSignal) => {
    await call('status_reset', { path: pathOf(integration) }, signal);
    for (const id of ['status_get', 'status_list'])
      await cache.invalidateQueries({ queryKey: [id] });
    announce('The counters are reset');
    onClose();
  };
  return (
    <Confirm
      title={`Reset the counters of ${integration.fullname}?`}
      operation="status_reset"
      action="Reset"
      kind="primary"
      work={reset}
      onClose={onClose}
    >
      <p>
        Requests and failures begin at zero and the state at “New”, as after a repair. The chart,
        the events and what is billed stay.
      </p>
    </Confirm>
  );
}

function Deletion({ integration, onClose }: Props & { onClose: () => void }) {
  const { name, fullname, scheduled_operations } = integration;
  const status = useRead('status_get', { path: pathOf(integration) });
  const requests = status.data?.result.requests;
  const remove = async (signal: AbortSignal) => {
    await call('integrations_delete', { path: pathOf(integration) }, signal);
    for (const id of ['status_list', 'integrations_list'])
      void cache.invalidateQueries({ queryKey: [id] });
    announce(`${fullname} is deleted`);
    go('/integrations');
  };
  return (
    <TypedDeletion
      operation={'integrations_delete'}
      name={name}
      fullname={fullname}
      remove={remove}
      onClose={onClose}
      action="Delete integration"
    >
      <p>With it are deleted, and cannot be brought back:</p>
      <ul class="bullets">
        <EndingTokens filter={[`owner_id[eq]${integration.id}`]} />
        <li>{counted(scheduled_operations?.length ?? 0, 'schedule', 'schedules')}</li>
        <li>its own credentials and counters</li>
      </ul>
      <p>
        The provider’s records stay as they are, and so do the mappings that it uses.
        {requests !== undefined &&
          ` It has handled ${counted(requests, 'request', 'requests')} since its counters began.`}
      </p>
    </TypedDeletion>
  );
}
