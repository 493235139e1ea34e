import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { faultsOf } from '../forms/faults.js';
import { faultsIn, type Values, withoutSecrets } from '../forms/values.js';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { FormWordsContext } from '../parts/form-words.js';
import { Monogram } from '../parts/monogram.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Waiting } from '../parts/waiting.js';
import type { Access, Done } from './access.js';
import { type Granted, keptAuthorization, otherThan, toldFields } from './authorize.js';
import { AuthorizePanel } from './authorize-panel.js';
import { EndedNote, Failure } from './failure.js';
import { messageOf } from './field-faults.js';
import { Heading } from './heading.js';
import { tell } from './host.js';
import { Instructions } from './instructions.js';
import { keyOf, MappingChoices } from './mapping-choices.js';
import { isEnded } from './session.js';
import { providerText, providerWords } from './provider-text.js';
import { isLost, storeAccess, verifyAccess, withoutFields } from './submit.js';
import { fill, seconds, words } from './words.js';

interface Props {
  access: Access;
  onDone: (done: Done) => void;
  onChange?: () => void;
}

/** The form of a provider. What is sent is first checked by the provider itself; only then is it stored. */
export function AccessForm({ access, onDone, onChange }: Props) {
  const { provider, integration, grantedAt } = access;
  const [granted, setGranted] = useState<Granted>();
  const [isTyped, setTyped] = useState(false);
  // The credential is asked for where nobody grants one at the provider.
  const isGrantable = grantedAt !== undefined && !isTyped;
  const isWaitingForGrant = isGrantable && granted === undefined;
  const fieldsFor = (grant: Granted | undefined) =>
    isGrantable
      ? withoutFields(access.fields, [grantedAt, ...toldFields(provider, grant)])
      : access.fields;
  const fields = fieldsFor(granted);
  const [values, setValues] = useState<Values>(
    () => keptAuthorization(access.provider.id)?.values ?? {},
  );
  // Somebody may type while the provider's window is open.
  const typed = useRef(values);
  typed.current = values;
  const [key] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<readonly string[]>([]);
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
      new Map([
        ...faultsOf(attempt.error, '', messageOf),
        ...faultsOf(attempt.error, '/integration', messageOf),
        ...missing,
      ]),
    [attempt.error, missing],
  );
  useEffect(() => {
    if (faults.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);

  const submit = (grant = granted) => {
    if (attempt.isBusy || isEnded.value) return;
    if (isGrantable && grant === undefined) return;
    const values = typed.current;
    const found = faultsIn(fieldsFor(grant), values, all);
    setMissing(found);
    setCancelled(false);
    if (found.size > 0) return;
    void attempt.run(async (signal) => {
      setStoring(false);
      const wanted = access.choices.filter((one) => chosen.includes(keyOf(one)));
      tell({ type: 'verifying', provider_id: provider.id });
      await verifyAccess(access, values, grant, wanted, signal);
      tell({ type: 'verified', provider_id: provider.id });
      setStoring(true);
      try {
        const done = await storeAccess(access, values, grant, wanted, key);
        setValues(withoutSecrets(fields, values));
        onDone(done);
      } catch (error) {
        if (isLost(error)) setUnsure(true);
        throw error;
      }
    });
  };
  const onGranted = (grant: Granted | undefined) => {
    setGranted(grant);
    if (grant === undefined || otherThan(integration, grant) !== undefined) return;
    // Nothing else to type: the rest needs no click.
    if (faultsIn(fieldsFor(grant), typed.current, all).size === 0) submit(grant);
  };
  const other = otherThan(integration, granted);
  const cancel = () => {
    attempt.cancel();
    setCancelled(true);
    announce(all.cancelled);
  };
  return (
    <>
      <div class="provider-head">
        <Monogram id={provider.id} name={fullname} />
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
        {/* They say how somebody gets a token to paste. */}
        {!isGrantable && <Instructions provider={provider} />}
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
          {other && (
            <p class="note">{fill(all.authorize.other, { provider: fullname, ...other })}</p>
          )}
          <FormWordsContext.Provider value={providerWords(provider)}>
            <SchemaForm
              fields={fields}
              values={values}
              faults={faults}
              onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
            />
          </FormWordsContext.Provider>
          <MappingChoices choices={access.choices} chosen={chosen} onChange={setChosen} />
          {missing.size > 0 && <p class="fault">{all.incomplete}</p>}
          {attempt.error && (
            <Failure
              error={attempt.error}
              provider={fullname}
              textOf={(text) => providerText(provider, text)}
            />
          )}
          {isCancelled && !attempt.isBusy && <p class="note">{all.cancelled}</p>}
          {attempt.since !== undefined && !isStoring && (
            <Waiting since={attempt.since} onCancel={cancel} cancel={all.cancel} seconds={seconds}>
              {fill(all.asking, { provider: fullname })}
            </Waiting>
          )}
          <p class="hint">{fill(all.safe, { provider: fullname })}</p>
          {isWaitingForGrant && (
            <p>
              <button type="button" class="quiet" onClick={() => setTyped(true)}>
                {all.authorize.manually}
              </button>
            </p>
          )}
          {!isWaitingForGrant && (
            <button class="primary" aria-disabled={attempt.isBusy || isEnded.value}>
              {attempt.isBusy ? all.connecting : integration ? all.renew : all.connect}
            </button>
          )}
        </form>
      </div>
    </>
  );
}
