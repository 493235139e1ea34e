import { useRead } from '../../api/query.js';
import { Field } from '../../parts/field.js';
import { Select } from '../../parts/select.js';
import { helpFault, type HelpRow } from './form-values.js';

interface Props {
  rows: readonly HelpRow[];
  /** By place in the record. */
  faults: ReadonlyMap<string, string>;
  isTried: boolean;
  onChange: (rows: readonly HelpRow[]) => void;
}

/** Addresses of help for single providers, in place of the one for all. */
export function HelpFields({ rows, faults, isTried, onChange }: Props) {
  const providers = useRead('capabilities_list_providers', {}, undefined, rows.length > 0);
  const names = Object.fromEntries(
    (providers.data?.result ?? []).map(({ id, fullname }) => [id, fullname]),
  );
  const change = (at: number, part: Partial<HelpRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <fieldset>
      <legend>Help for single providers</legend>
      {rows.map(({ provider, address }, index) => (
        <div class="help-row" key={index}>
          <Select
            label={`Provider ${index + 1}`}
            value={provider}
            onChange={(value) => change(index, { provider: value })}
          >
            {{ '': 'Choose …', ...names }}
          </Select>
          <Field
            label={`Address of help ${index + 1}`}
            value={address}
            inputMode="url"
            placeholder="https://help.example.com/connect/jira"
            fault={
              (isTried ? helpFault(rows, index) : undefined) ??
              faults.get(`/options/connect/theme/help_urls/${provider}`)
            }
            onInput={(value) => change(index, { address: value })}
          />
          <button
            type="button"
            class="small"
            aria-label={`Remove the help of provider ${index + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <p>
        <button
          type="button"
          class="small"
          onClick={() => onChange([...rows, { provider: '', address: '' }])}
        >
          Add help for a provider
        </button>
      </p>
    </fieldset>
  );
}
