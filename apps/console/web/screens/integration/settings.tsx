import { useMemo, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call, RequestError } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { hasDangers } from '../../api/operations.js';
import { type Field as FormField, readFields } from '../../forms/fields.js';
import { faultsOf } from '../../forms/faults.js';
import type { Schema } from '../../forms/schema.js';
import { faultsIn, nameOf, objectOf, textsOf } from '../../forms/values.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { CommandOf } from '../../parts/command-of.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemBox } from '../../parts/problem.js';
import { SchemaForm } from '../../parts/schema-form.js';

export type Integration = Result<'integrations_get'>['result'];
type Texts = Readonly<Record<string, string>>;

const nameField = '/fullname';
/** A setting of the integration itself, for domains that have such operations. */
const confirming: FormField = {
  kind: 'boolean',
  pointer: '/confirm_dangerous_actions',
  label: 'Confirm dangerous operations',
  hint: 'Whoever quarantines, wipes, disables or deletes has to show the dry run of that very call.',
  isRequired: false,
};
const single = new Set(['text', 'url', 'number', 'boolean', 'lines', 'options']);

/** Name and simple fields of the configuration. Credentials have a card of their own; what else there is, the explorer changes. */
export function Settings({ integration }: { integration: Integration }) {
  const path = { providerId: integration.provider_type };
  const provider = useRead('capabilities_get_provider', {
    path,
    query: { expand: 'provider_config' },
  });
  return (
    <section class="card" aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <Loaded of={provider} lines={3}>
        {({ result }) => (
          <Form
            integration={integration}
            fields={[
              ...readFields(
                (result.provider_config ?? {}) as Schema,
                '/provider_config',
                () => undefined,
              ).filter(({ kind }) => single.has(kind)),
              ...(hasDangers(integration.category) ? [confirming] : []),
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

interface FormProps {
  integration: Integration;
  fields: readonly FormField[];
}

function Form({ integration, fields }: FormProps) {
  // The record is read again while somebody types, so what they began with is kept.
  const [base, setBase] = useState(integration);
  const before = useMemo(() => allTexts(base, fields), [base, fields]);
  const [values, setValues] = useState<Texts>(before);
  const [theirs, setTheirs] = useState<Integration>();
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [saved, setSaved] = useState('');
  const { run, error, isBusy } = useAttempt();
  const begin = (record: Integration) => {
    setBase(record);
    setValues(allTexts(record, fields));
    setTheirs(undefined);
  };
  const changed = placesOf(fields).filter((one) => (values[one] ?? '') !== (before[one] ?? ''));
  const path = { accountId: integration.account_id, integrationId: integration.id };
  const bodyOver = (over: Integration) => [
    { op: 'test', path: '/updated_at', value: over.updated_at },
    ...changed.map((one) => operationFor(one, fields, values)),
  ];
  const save = (over: Integration) => {
    const found = faultsIn(fields, values);
    setMissing(found);
    setSaved('');
    if (found.size > 0 || changed.length === 0) return;
    void run(async (signal) => {
      const body = bodyOver(over);
      try {
        await call('integrations_patch', { path, body }, signal);
      } catch (failure) {
        if (!(failure instanceof RequestError) || failure.problem.status !== 409) throw failure;
        setTheirs((await call('integrations_get', { path }, signal)).result);
        return;
      }
      begin((await call('integrations_get', { path }, signal)).result);
      void cache.invalidateQueries({ queryKey: ['integrations_get'] });
      setSaved('Saved. “Verify now” asks the provider whether it works.');
      announce('Saved');
    });
  };
  const faults = new Map([...faultsOf(error), ...missing]);
  return (
    <form
      class="stack save"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(base);
      }}
    >
      <Field
        label="Full name"
        value={values[nameField] ?? ''}
        onInput={(text) => setValues({ ...values, [nameField]: text })}
      />
      <SchemaForm
        fields={fields}
        values={values}
        faults={faults}
        onChange={(pointer, value) => setValues({ ...values, [pointer]: value })}
      />
      {theirs && (
        <Conflict
          before={before}
          values={values}
          fields={fields}
          changed={changed}
          theirs={allTexts(theirs, fields)}
          onMine={() => save(theirs)}
          onTheirs={() => begin(theirs)}
        />
      )}
      {error && faults.size === 0 && <ProblemBox error={error} />}
      {changed.length > 0 && (
        <CommandOf operation="integrations_patch" input={{ path, body: bodyOver(base) }} />
      )}
      <p role="status">{saved}</p>
      {!theirs && (
        <Action operation="integrations_patch" type="submit" isBusy={isBusy}>
          Save settings
        </Action>
      )}
    </form>
  );
}

interface ConflictProps {
  fields: readonly FormField[];
  changed: readonly string[];
  before: Texts;
  values: Texts;
  theirs: Texts;
  onMine: () => void;
  onTheirs: () => void;
}

/** The record was changed since this page read it: each field with what it was, what they have made of it, and what is typed here. */
function Conflict({ fields, changed, before, values, theirs, onMine, onTheirs }: ConflictProps) {
  const differing = placesOf(fields).filter(
    (one) => changed.includes(one) || (theirs[one] ?? '') !== (before[one] ?? ''),
  );
  const labels = new Map([
    [nameField, 'Full name'],
    ...fields.map((one) => [one.pointer, one.label] as const),
  ]);
  return (
    <div class="problem" role="alert">
      <p class="remedy">Somebody else has saved this integration meanwhile. Nothing is lost.</p>
      <div class="wide" tabIndex={0} role="region" aria-label="What differs">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((one) => (
              <tr key={one}>
                <th scope="row">{labels.get(one)}</th>
                {[before, theirs, values].map((texts, index) => (
                  <td key={index} dir="auto">
                    {texts[one] ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>Only the fields that you have changed are written; the others stay as they saved them.</p>
      <p class="changes">
        <Action operation="integrations_patch" onClick={onMine}>
          Save mine over it
        </Action>
        <button type="button" onClick={onTheirs}>
          Take theirs, drop mine
        </button>
      </p>
    </div>
  );
}

function placesOf(fields: readonly FormField[]): string[] {
  return [nameField, ...fields.map(({ pointer }) => pointer)];
}

function allTexts(record: Integration, fields: readonly FormField[]): Texts {
  const { provider_config: config, confirm_dangerous_actions: confirms = false } = record;
  const given = { ...config, confirm_dangerous_actions: confirms };
  return { [nameField]: record.fullname, ...textsOf(fields, given) };
}

function operationFor(pointer: string, fields: readonly FormField[], values: Texts) {
  const value =
    pointer === nameField ? values[nameField] : objectOf(fields, values)[nameOf(pointer)];
  if (pointer === confirming.pointer) return { op: 'add', path: pointer, value: value === true };
  return value === undefined
    ? { op: 'remove', path: pointer }
    : { op: 'add', path: pointer, value };
}
