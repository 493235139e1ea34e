import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { faultsOf } from '../forms/faults.js';
import { faultsIn, type Values, withoutSecrets } from '../forms/values.js';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { Monogram } from '../parts/monogram.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Waiting } from '../parts/waiting.js';
import type { Access, Done } from './access.js';
import { EndedNote, Failure } from './failure.js';
import { Heading } from './heading.js';
import { tell } from './host.js';
import { Instructions } from './instructions.js';
import { isEnded } from './session.js';
import { isLost, storeAccess, verifyAccess } from './submit.js';
import { fill, seconds, words } from './words.js';

interface Props {
  access: Access;
  onDone: (done: Done) => void;
  onChange?: () => void;
}

/** The form of a provider. What is sent is first checked by the provider itself; only then is it stored. */
export function AccessForm({ access, onDone, onChange }: Props) {
  const { provider, fields, integration } = access;
  const [values, setValues] = useState<Values>({});
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

  const submit = () => {
    if (attempt.isBusy || isEnded.value) return;
    const found = faultsIn(fields, values, all);
    setMissing(found);
    setCancelled(false);
    if (found.size > 0) return;
    void attempt.run(async (signal) => {
      setStoring(false);
      tell({ type: 'verifying', provider_id: provider.id });
      await verifyAccess(access, values, signal);
      tell({ type: 'verified', provider_id: provider.id });
      setStoring(true);
      try {
        const done = await storeAccess(access, values, key);
        setValues(withoutSecrets(fields, values));
        onDone(done);
      } catch (error) {
        if (isLost(error)) setUnsure(true);
        throw error;
      }
    });
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
          <button class="primary" aria-disabled={attempt.isBusy || isEnded.value}>
            {attempt.isBusy ? all.connecting : integration ? all.renew : all.connect}
          </button>
        </form>
      </div>
    </>
  );
}
