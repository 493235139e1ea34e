import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { WebhookEvents } from './webhook-events.js';
import type { Webhook } from './webhooks.js';

/** Changes where a webhook sends, and what. Fields that somebody else has changed meanwhile are refused. */
export function ChangeWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  // The record is read again while somebody types.
  const [base] = useState(webhook);
  const [fullname, setFullname] = useState(base.fullname);
  const [url, setUrl] = useState(base.url);
  const [chosen, setChosen] = useState<readonly string[]>(
    base.filters.filter((one) => one !== 'all'),
  );
  const { run, isBusy, error } = useAttempt();
  const filters = chosen.length === 0 ? ['all'] : [...chosen];
  const wanted = { fullname: fullname.trim(), url: url.trim(), filters };
  const changes = (['fullname', 'url', 'filters'] as const).filter(
    (name) => JSON.stringify(wanted[name]) !== JSON.stringify(base[name]),
  );
  const save = () =>
    run(async (signal) => {
      const body = changes.flatMap((name) => [
        { op: 'test', path: `/${name}`, value: base[name] },
        { op: 'replace', path: `/${name}`, value: wanted[name] },
      ]);
      const input = { path: { webhookId: base.id }, body };
      if (body.length > 0) await call('organizationWebhooks_patch', input, signal);
      for (const id of ['organizationWebhooks_get', 'organizationWebhooks_list'])
        void cache.invalidateQueries({ queryKey: [id] });
      announce('The webhook is changed');
      onClose();
    });
  const faults = faultsOf(error);
  return (
    <FormDialog
      title={`Change ${base.fullname}`}
      operation="organizationWebhooks_patch"
      action="Save webhook"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <Field label="Name" value={fullname} onInput={setFullname} fault={faults.get('/fullname')} />
      <Field
        label="Address"
        value={url}
        onInput={setUrl}
        isRequired
        inputMode="url"
        hint="Deliveries that wait are sent to the new address."
        fault={faults.get('/url')}
      />
      <WebhookEvents chosen={chosen} onChange={setChosen} />
    </FormDialog>
  );
}
