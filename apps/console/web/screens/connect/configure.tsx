import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import type { Field as FormField } from '../../forms/fields.js';
import { faultsOf } from '../../forms/faults.js';
import { faultsIn, objectOf, withoutSecrets } from '../../forms/values.js';
import { setSearch } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { ConfigurationFields } from '../../parts/configuration-fields.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { Monogram } from '../../parts/monogram.js';
import type { Passed } from '../../parts/passed.js';
import { SchemaForm } from '../../parts/schema-form.js';
import type { Account } from './account.js';
import { CheckOutcome } from './check-outcome.js';
import { forgetDraft, keepDraft, storedDraft } from './draft.js';
import { PointField } from './point-field.js';
import { useReleaseGuard } from './release-guard.js';
import type { Provider } from '../../parts/provider.js';
import { useStoredCredentials } from './stored-credentials.js';

interface Props {
  account: Account;
  providerId: string;
  onCreated: (created: Result<'integrations_create'>) => void;
}

/** The third step: the provider's own fields, which the provider itself checks before anything is stored. */
export function Configure({ account, providerId, onCreated }: Props) {
  const input = { path: { providerId }, query: { expand: ['provider_config', 'operations'] } };
  const read = useRead('capabilities_get_provider', input);
  return (
    <Loaded of={read} lines={6}>
      {({ result }) => (
        <ConfigurationFields schema={result.provider_config}>
          {(fields) => (
            <Form account={account} fields={fields} onCreated={onCreated} provider={result} />
          )}
        </ConfigurationFields>
      )}
    </Loaded>
  );
}

interface FormProps {
  account: Account;
  provider: Provider;
  fields: readonly FormField[];
  onCreated: Props['onCreated'];
}

function Form({ account, provider, fields, onCreated }: FormProps) {
  const { id: accountId } = account;
  const [draft, setDraft] = useState(() => storedDraft(accountId, provider.id));
  const [key] = useState(() => crypto.randomUUID());
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [passed, setPassed] = useState<Passed & { body: string }>();
  const [isLive, setLive] = useState(false);
  const guard = useReleaseGuard(account, provider);
  const check = useAttempt();
  const create = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  const stored = useStoredCredentials(accountId);
  useEffect(
    () =>
      keepDraft(accountId, provider.id, {
        ...draft,
        values: withoutSecrets(fields, draft.values),
      }),
    [draft],
  );
  const body = bodyOf(draft, fields, provider);
  const text = JSON.stringify(body);
  const isPassed = passed?.body === text;
  const faults = useMemo(
    () =>
      new Map([...faultsOf(create.error), ...faultsOf(check.error, '/integration'), ...missing]),
    [create.error, check.error, missing],
  );
  useEffect(() => {
    if (faults.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);

  /** Asks the provider. @returns whether it accepts the configuration */
  const verify = async () => {
    const found = faultsIn(fields, draft.values);
    setMissing(found);
    setPassed(undefined);
    if (found.size > 0) {
      check.cancel();
      return false;
    }
    setLive(true);
    let isAccepted = false;
    await check.run(async (signal) => {
      const input = { path: { accountId }, body: { integration: body } };
      const result = await call('integrations_verify', input, signal);
      isAccepted = true;
      setPassed({ at: new Date().toISOString(), result, body: text });
      announce('The check has passed');
    }, true);
    return isAccepted;
  };
  const store = () =>
    create.run(async (signal) => {
      const input = { path: { accountId }, body, idempotencyKey: key };
      const created = await call('integrations_create', input, signal);
      forgetDraft(accountId, provider.id);
      announce('The system is connected');
      for (const id of ['status_list', 'integrations_list'])
        void cache.invalidateQueries({ queryKey: [id] });
      onCreated(created);
    });
  const connect = async () => {
    if (check.isBusy || create.isBusy) return;
    if (isPassed || (await verify())) guard.ask(store);
  };
  return (
    <div class="columns">
      {guard.dialog}
      <form
        ref={form}
        class="card"
        noValidate
        aria-labelledby="configure"
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <ProviderHead provider={provider} />
        {guard.note}
        <SchemaForm
          fields={fields}
          values={draft.values}
          faults={faults}
          stored={stored}
          onChange={(pointer, value) =>
            setDraft((one) => ({ ...one, values: { ...one.values, [pointer]: value } }))
          }
          onLeave={() => {
            if (isLive && !isPassed) void verify();
          }}
        />
        <Field
          label="Name (optional)"
          value={draft.name}
          hint={`How your people see it; ${provider.fullname} when empty.`}
          onInput={(name) => setDraft((one) => ({ ...one, name }))}
        />
        <PointField
          account={account}
          provider={provider}
          value={draft.pointId}
          fault={faults.get('/integration_point_id')}
          onChange={(pointId) => setDraft((one) => ({ ...one, pointId }))}
        />
        <div class="buttons">
          <Action
            operation="integrations_verify"
            isBusy={check.isBusy || create.isBusy}
            onClick={() => void verify()}
          >
            Check
          </Action>
          <Action
            operation="integrations_create"
            kind="primary"
            type="submit"
            isBusy={check.isBusy || create.isBusy}
          >
            {create.isBusy ? 'Connecting …' : 'Connect'}
          </Action>
        </div>
      </form>
      <CheckOutcome
        check={check}
        create={create}
        passed={passed}
        isOutdated={!isPassed}
        isIncomplete={missing.size > 0}
        onAnyway={() => guard.ask(store)}
        provider={provider}
      />
    </div>
  );
}

function bodyOf(
  { name, pointId, values }: ReturnType<typeof storedDraft>,
  fields: readonly FormField[],
  { id, fullname }: Provider,
) {
  return {
    fullname: name.trim() || fullname,
    ...(pointId === '' ? {} : { integration_point_id: pointId }),
    provider_config: { type: id, ...objectOf(fields, values) },
  };
}

function ProviderHead({ provider: { id, fullname, description } }: { provider: Provider }) {
  return (
    <div class="provider-head">
      <Monogram id={id} name={fullname} />
      <div>
        <h2 id="configure">{fullname}</h2>
        <small>{description}</small>
      </div>
      <button type="button" class="small" onClick={() => setSearch({ provider: '' })}>
        Change<span class="unseen"> the system</span>
      </button>
    </div>
  );
}
