import { CheckBoxes } from '../../parts/check-boxes.js';

const events = [
  'account_create',
  'account_update',
  'account_delete',
  'integration_create',
  'integration_update',
  'integration_delete',
  'operation_complete',
];

interface Props {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The events that a webhook gets. */
export function WebhookEvents({ chosen, onChange }: Props) {
  return (
    <fieldset>
      <legend>Events; all if none is chosen</legend>
      <CheckBoxes
        choices={events.map((one) => [one, one] as const)}
        chosen={chosen}
        onChange={onChange}
      />
    </fieldset>
  );
}
