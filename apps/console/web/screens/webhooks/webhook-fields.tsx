import { CheckBoxes } from '../../parts/check-boxes.js';
import { Field } from '../../parts/field.js';

const eventNames: Readonly<Record<string, string>> = {
  account_create: 'A customer is created',
  account_update: 'A customer is changed',
  account_delete: 'A customer is deleted',
  integration_create: 'A system is connected',
  integration_update: 'An integration is changed',
  integration_delete: 'An integration is deleted',
  integration_status: 'The state of an integration changes',
  operation_complete: 'A job has run',
};

function EventName({ id, name }: { id: string; name: string }) {
  return (
    <>
      {name} <code>{id}</code>
    </>
  );
}

/** The address of a webhook, and the events that it gets. */
export interface WebhookValues {
  fullname: string;
  url: string;
  /** All events if none is chosen. */
  chosen: readonly string[];
}

interface Props {
  values: WebhookValues;
  faults: ReadonlyMap<string, string>;
  /** A line below the address. */
  hint?: string;
  onChange: (values: WebhookValues) => void;
}

export function filtersOf({ chosen }: WebhookValues): string[] {
  return chosen.length === 0 ? ['all'] : [...chosen];
}

/** The fields of a webhook that can be changed. */
export function WebhookFields({ values, faults, hint, onChange }: Props) {
  return (
    <>
      <Field
        label="Name (optional)"
        value={values.fullname}
        onInput={(fullname) => onChange({ ...values, fullname })}
        fault={faults.get('/fullname')}
      />
      <Field
        label="Address"
        value={values.url}
        onInput={(url) => onChange({ ...values, url })}
        isRequired
        inputMode="url"
        placeholder="https://hooks.example.com/onefold"
        hint={hint}
        fault={faults.get('/url')}
      />
      <fieldset>
        <legend>Events; all if none is chosen</legend>
        <CheckBoxes
          choices={Object.entries(eventNames).map(([id, name]) => [
            id,
            <EventName key={id} id={id} name={name} />,
          ])}
          chosen={values.chosen}
          onChange={(chosen) => onChange({ ...values, chosen })}
        />
      </fieldset>
    </>
  );
}
