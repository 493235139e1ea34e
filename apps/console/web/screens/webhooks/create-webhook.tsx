import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { Action } from '../../parts/action.js';
import { useAttempt } from '../../parts/attempt.js';
import { Copy } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogButtons } from '../../parts/dialog-buttons.js';
import { Field } from '../../parts/field.js';

const events = [
  'account_create',
  'account_update',
  'account_delete',
  'integration_create',
  'integration_update',
  'integration_delete',
  'operation_complete',
];
const secretBytes = 24;

/** Creates a webhook with a secret that is made here and shown once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [fullname, setFullname] = useState('');
  const [url, setUrl] = useState('');
  const [environment, setEnvironment] = useState('prod');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [secret] = useState(newSecret);
  const [key] = useState(() => crypto.randomUUID());
  const [isCreated, setCreated] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () =>
    run(async (signal) => {
      const body = {
        ...(fullname.trim() === '' ? {} : { fullname }),
        ...{ url, environment, secret: { value: secret } },
        filters: chosen.size === 0 ? ['all'] : [...chosen],
      };
      await call('organizationWebhooks_create', { body, idempotencyKey: key }, signal);
      void cache.invalidateQueries({ queryKey: ['organizationWebhooks_list'] });
      setCreated(true);
    });
  if (isCreated)
    return (
      <Dialog title="The secret of this webhook">
        <p>Your receiver checks the signature by it. It is shown only now.</p>
        <div class="command">
          <code tabIndex={0}>{secret}</code>
          <Copy text={secret} name="secret" />
        </div>
        <div class="buttons">
          <button type="button" class="primary" onClick={onClose}>
            I have it
          </button>
        </div>
      </Dialog>
    );
  const faults = faultsOf(error);
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
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
        <label>
          Environment of the accounts
          <select
            value={environment}
            onChange={(event) => setEnvironment(event.currentTarget.value)}
          >
            <option value="prod">prod</option>
            <option value="test">test</option>
          </select>
        </label>
        <fieldset>
          <legend>Events; all if none is chosen</legend>
          {events.map((one) => (
            <label class="check" key={one}>
              <input
                type="checkbox"
                checked={chosen.has(one)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(
                    new Set(checked ? [...chosen, one] : [...chosen].filter((id) => id !== one)),
                  )
                }
              />
              {one}
            </label>
          ))}
        </fieldset>
        <DialogButtons onClose={onClose} error={error}>
          <Action
            operation="organizationWebhooks_create"
            kind="primary"
            type="submit"
            isBusy={isBusy}
          >
            Create webhook
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** A secret as the libraries of Standard Webhooks expect it. */
function newSecret(): string {
  const random = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...random))}`;
}
