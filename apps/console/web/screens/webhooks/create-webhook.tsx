import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Select } from '../../parts/select.js';
import { filtersOf, WebhookFields, type WebhookValues } from './webhook-fields.js';
import { newSecret, WebhookSecret } from './webhook-secret.js';

/** Creates a webhook with a secret that is made here and shown once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState<WebhookValues>({ fullname: '', url: '', chosen: [] });
  const [environment, setEnvironment] = useState('prod');
  const [secret] = useState(newSecret);
  const [key] = useState(() => crypto.randomUUID());
  const [isCreated, setCreated] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () =>
    run(async (signal) => {
      const body = {
        ...(values.fullname.trim() === '' ? {} : { fullname: values.fullname }),
        url: values.url,
        environment,
        secret: { value: secret },
        filters: filtersOf(values),
      };
      await call('organizationWebhooks_create', { body, idempotencyKey: key }, signal);
      void cache.invalidateQueries({ queryKey: ['organizationWebhooks_list'] });
      setCreated(true);
    });
  if (isCreated) return <WebhookSecret secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title="New webhook"
      operation="organizationWebhooks_create"
      action="Create webhook"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={() => void create()}
    >
      <WebhookFields values={values} faults={faultsOf(error)} onChange={setValues} />
      <Select label="Environment of the accounts" value={environment} onChange={setEnvironment}>
        {{ prod: 'prod', test: 'test' }}
      </Select>
    </FormDialog>
  );
}
