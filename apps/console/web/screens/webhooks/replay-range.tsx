import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useAttempt } from '../../parts/attempt.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { Select } from '../../parts/select.js';
import { TimeField } from '../../parts/time-field.js';

const dayMs = 86_400_000;
const which: Record<string, { label: string; statuses: readonly string[] }> = {
  failed: { label: 'Those that failed', statuses: ['failed'] },
  all: { label: 'All, also those that were delivered', statuses: ['failed', 'delivered'] },
};

interface Props {
  webhookId: string;
  onClose: () => void;
  onReplayed: (text: string) => void;
}

/** Sends the deliveries of a time again. */
export function ReplayRange({ webhookId, onClose, onReplayed }: Props) {
  const [from, setFrom] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const [to, setTo] = useState(() => new Date().toISOString());
  const [chosen, setChosen] = useState('failed');
  const { run, isBusy, error } = useAttempt();
  const replay = () =>
    run(async (signal) => {
      const body = { from, to, statuses: which[chosen]?.statuses };
      await call('organizationWebhooks_replay_deliveries', { path: { webhookId }, body }, signal);
      onClose();
      onReplayed('They are sent again');
    });
  return (
    <FormDialog
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      title="Send deliveries again"
      operation="organizationWebhooks_replay_deliveries"
      action="Send again"
      onSubmit={() => void replay()}
    >
      <p>
        Your receiver gets each of them once more, with the same id, so it can leave doubles out.
      </p>
      <TimeField label="From" value={from} onChange={setFrom} />
      <TimeField label="Until" value={to} onChange={setTo} />
      <Select label="Which" value={chosen} onChange={setChosen}>
        {Object.fromEntries(Object.entries(which).map(([id, { label }]) => [id, label]))}
      </Select>
    </FormDialog>
  );
}
