import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { faultsOf } from '../forms/faults.js';
import { faultsIn, type Values, withoutSecrets } from '../forms/values.js';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { Monogram } from '../parts/monogram.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Waiting } from '../parts/waiting.js';
import type { Access, Done } from './access.js';
import { keptAuthorization } from './authorize.js';
import { AuthorizePanel } from './authorize-panel.js';
import { EndedNote, Failure } from './failure.js';
import { Heading } from './heading.js';
import { tell } from './host.js';
import { Instructions } from './instructions.js';
import { isEnded } from './session.js';
import { isLost, storeAccess, verifyAccess, withoutField } from './submit.js';
import { fill, seconds, words } from './words.js';

interface Props {
  access: Access;
  onDone: (done: Done) => void;
  onChange?: () => void;
}

/** The form of a provider. What is sent is first checked by the provider itself; only then is it stored. */
export function AccessForm({ access, onDone, onChange }: Props) {
  const { provider, integration, grantedAt } = access;
  const [granted, setGranted] = useState<string>();
  const [isTyped, setTyped] = useState(false);
  // The credential is asked for where nobody grants one at the provider.
  const isGrantable = grantedAt !== undefined && !isTyped;
  const fields = isGrantable ? withoutField(access.fields, grantedAt) : access.fields;
  const [values, setValues] = useState<Values>(
    () => keptAuthorization(access.provider.id)?.values ?? {},
  );
  // Somebody may type while the provider's window is open.
  const typed = useRef(values);
  typed.current = values;
  const [key] = useState(() => crypto.randomUUID());
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [isCancelled, setCancelled] = useState(false);
  const [isUnsure, setUnsure] = useState(false);
  const [isStoring, setStoring] = useState(false);
  const attempt = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  const { fullname } = provider;
  const all = words.value;
  const faults = useMemo(
    () =>
      new Map([...faultsOf(attempt.error), ...faultsOf(attempt.error, '/integration'), ...missing]),
    [attempt.error, missing],
  );
  useEffect(() => {
    if (faults.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);

  const submit = (grant = granted) => {
    if (attempt.isBusy || isEnded.value) return;
    if (isGrantable && grant === undefined) return;
    const values = typed.current;
    const found = faultsIn(fields, values, all);
    setMissing(found);
    setCancelled(false);
    if (found.size > 0) return;
    void attempt.run(async (signal) => {
      setStoring(false);
      tell({ type: 'verifying', provider_id: provider.id });
      await verifyAccess(access, values, grant, signal);
      tell({ type: 'verified', provider_id: provider.id });
      setStoring(true);
      try {
        const done = await storeAccess(access, values, grant, key);
        setValues(withoutSecrets(fields, values));
        onDone(done);
      } catch (error) {
        if (isLost(error)) setUnsure(true);
        throw error;
      }
    });
  };
  const onGranted = (credentialId: string | undefined) => {
    setGranted(credentialId);
    // Nothing else to type: the rest needs no click.
    if (credentialId !== undefined && faultsIn(fields, typed.current, all).size === 0)
      submit(credentialId);
  };
  const cancel = () => {
    attempt.cancel();
    setCancelled(true);
    announce(all.cancelled);
  };
  return (
    <>
      <div class="provider-head">
        <Monogram name={fullname} />
        <div>
          <Heading>
            {integration
              ? fill(all.titleReconnect, { name: integration.fullname })
              : fill(all.accessTitle, { provider: fullname })}
          </Heading>
        </div>
        {onChange && (
          <button type="button" class="small" disabled={attempt.isBusy} onClick={onChange}>
            {all.change}
          </button>
        )}
      </div>
      <div class="access">
        <Instructions provider={provider} />
        <form
          ref={form}
          class="card"
          noValidate
          aria-label={fill(all.accessTitle, { provider: fullname })}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <EndedNote isUnsure={isUnsure} />
          {isGrantable && (
            <AuthorizePanel
              provider={provider}
              values={() => withoutSecrets(access.fields, typed.current)}
              onGranted={onGranted}
            />
          )}
          <SchemaForm
            fields={fields}
            values={values}
            faults={faults}
            onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
          />
          {missing.size > 0 && <p class="fault">{all.incomplete}</p>}
          {attempt.error && <Failure error={attempt.error} provider={fullname} />}
          {isCancelled && !attempt.isBusy && <p class="note">{all.cancelled}</p>}
          {attempt.since !== undefined && !isStoring && (
            <Waiting since={attempt.since} onCancel={cancel} cancel={all.cancel} seconds={seconds}>
              {fill(all.asking, { provider: fullname })}
            </Waiting>
          )}
          <p class="hint">{fill(all.safe, { provider: fullname })}</p>
          {isGrantable && granted === undefined && (
            <p>
              <button type="button" class="quiet" onClick={() => setTyped(true)}>
                {all.authorize.manually}
              </button>
            </p>
          )}
          <button
            class={isGrantable && granted === undefined ? '' : 'primary'}
            aria-disabled={
              attempt.isBusy || isEnded.value || (isGrantable && granted === undefined)
            }
          >
            {attempt.isBusy ? all.connecting : integration ? all.renew : all.connect}
          </button>
        </form>
      </div>
    </>
  );
}
