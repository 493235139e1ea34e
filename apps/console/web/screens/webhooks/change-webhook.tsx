import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { filtersOf, WebhookFields, type WebhookValues } from './webhook-fields.js';
import type { Webhook } from './webhooks.js';

/** Changes where a webhook sends, and what. Fields that somebody else has changed meanwhile are refused. */
export function ChangeWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  // The record is read again while somebody types.
  const [base] = useState(webhook);
  const [values, setValues] = useState<WebhookValues>({
    fullname: base.fullname,
    url: base.url,
    chosen: base.filters.filter((one) => one !== 'all'),
  });
  const { run, isBusy, error } = useAttempt();
  const wanted = {
    fullname: values.fullname.trim(),
    url: values.url.trim(),
    filters: filtersOf(values),
  };
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
      <WebhookFields
        values={values}
        faults={faultsOf(error)}
        hint="Deliveries that wait are sent to the new address."
        onChange={setValues}
      />
    </FormDialog>
  );
}
