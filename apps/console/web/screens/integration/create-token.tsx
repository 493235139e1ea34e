import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { Select } from '../../parts/select.js';
import { ShownOnce } from '../../parts/shown-once.js';

const ttls: Record<string, string> = {
  '1h': 'an hour',
  '24h': 'a day',
  '720h': '30 days',
  '2160h': '90 days',
};

interface Props {
  accountId: string;
  integrationId: string;
  onClose: () => void;
}

/** Creates a token by which a program calls an integration, and shows it once. */
export function CreateIntegrationToken({ accountId, integrationId, onClose }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [ttl, setTtl] = useState('24h');
  const [created, setCreated] = useState<Result<'tokens_create_integration_token'>['result']>();
  const { run, isBusy, error } = useAttempt();
  const create = () =>
    run(async (signal) => {
      const body = { token_ttl: ttl, ...(name.trim() === '' ? {} : { name: name.trim() }) };
      const input = { path: { accountId, integrationId }, body, idempotencyKey: key };
      setCreated((await call('tokens_create_integration_token', input, signal)).result);
      await cache.invalidateQueries({ queryKey: ['tokens_list'] });
    });
  if (created)
    return (
      <ShownOnce
        title="The token of this integration"
        lead="Your product calls the connector API with it. It is shown now and never again, and nothing renews it: make another one before it ends."
        secrets={[{ name: 'Token', text: created.secret, expires: created.expires }]}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="New token"
      operation="tokens_create_integration_token"
      action="Create token"
      busy="Creating …"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={() => void create()}
    >
      <Field
        label="Name (optional)"
        value={name}
        hint="For your programs: it is unique, such as backend-2."
        fault={faultsOf(error).get('/name')}
        onInput={setName}
      />
      <Select label="Valid for" value={ttl} onChange={setTtl}>
        {ttls}
      </Select>
    </FormDialog>
  );
}
