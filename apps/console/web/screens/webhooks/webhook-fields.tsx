import { CheckBoxes } from '../../parts/check-boxes.js';
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
          choices={events.map((one) => [one, one] as const)}
          chosen={values.chosen}
          onChange={(chosen) => onChange({ ...values, chosen })}
        />
      </fieldset>
    </>
  );
}
