import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { Select } from '../../parts/select.js';
import { WebhookEvents } from './webhook-events.js';
import { newSecret, WebhookSecret } from './webhook-secret.js';

/** Creates a webhook with a secret that is made here and shown once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [fullname, setFullname] = useState('');
  const [url, setUrl] = useState('');
  const [environment, setEnvironment] = useState('prod');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [secret] = useState(newSecret);
  const [key] = useState(() => crypto.randomUUID());
  const [isCreated, setCreated] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () =>
    run(async (signal) => {
      const body = {
        ...(fullname.trim() === '' ? {} : { fullname }),
        url,
        environment,
        secret: { value: secret },
        filters: chosen.length === 0 ? ['all'] : chosen,
      };
      await call('organizationWebhooks_create', { body, idempotencyKey: key }, signal);
      void cache.invalidateQueries({ queryKey: ['organizationWebhooks_list'] });
      setCreated(true);
    });
  if (isCreated) return <WebhookSecret secret={secret} onClose={onClose} />;
  const faults = faultsOf(error);
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
      <Field label="Name (optional)" value={fullname} onInput={setFullname} />
      <Field
        label="Address"
        value={url}
        onInput={setUrl}
        isRequired
        inputMode="url"
        placeholder="https://hooks.example.com/onefold"
        fault={faults.get('/url')}
      />
      <Select label="Environment of the accounts" value={environment} onChange={setEnvironment}>
        {{ prod: 'prod', test: 'test' }}
      </Select>
      <WebhookEvents chosen={chosen} onChange={setChosen} />
    </FormDialog>
  );
}
