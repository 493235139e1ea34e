import { setSearch } from '../location.js';
import type { Option } from './combobox.js';
import { IntegrationChoice } from './integration-choice.js';

interface Props {
  label?: string;
  /** `<account>/<integration>`, empty, or the value of an option of `first`. */
  chosen: string;
  /** Search parameters that belong to the integration chosen before. */
  cleared: readonly string[];
  /** Options before the integrations. */
  first?: readonly Option[];
}

/** Chooses an integration, and keeps it in the address. */
export function ChooseIntegration(props: Props) {
  const { label = 'Integration', chosen, cleared, first = [] } = props;
  const others = Object.fromEntries(cleared.map((name) => [name, '']));
  return (
    <div class="toolbar">
      <IntegrationChoice
        label={label}
        chosen={chosen.split('/').at(-1) ?? ''}
        first={first}
        onChoose={(value, one) =>
          setSearch({ ...others, integration: one ? `${one.account_id}/${one.id}` : value })
        }
      />
    </div>
  );
}
