import { useId } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';

export interface FilterRow {
  name: string;
  operator: string;
  value: string;
}

type ProviderFilter = ManagementSchemas['ProviderFilter'];

/** `priority[in]HIGH,LOW`; values with a separator in them are quoted, lists are taken as they are. */
function filterTextOf({ name, operator, value }: FilterRow): string {
  const isList = operator === 'in' || operator === 'not in';
  const isPlain = isList || /^[^\s",[\]]*$/.test(value);
  const text = isPlain ? value : `"${value.replaceAll('"', '\\"')}"`;
  return `${name}[${operator}]${text}`;
}

/** The filters of a request. A row without a value is one that somebody has not finished. */
export function filterTextsOf(rows: readonly FilterRow[]): string[] {
  return rows.filter(({ name, value }) => name !== '' && value.trim() !== '').map(filterTextOf);
}

interface Props {
  /** Those that the provider of the integration offers. */
  offered: readonly ProviderFilter[];
  rows: readonly FilterRow[];
  onChange: (rows: readonly FilterRow[]) => void;
}

/** Filters of a list, one per line. */
export function Filters({ offered, rows, onChange }: Props) {
  const [first] = offered;
  const change = (at: number, changes: Partial<FilterRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <fieldset>
      <legend>Filters</legend>
      {rows.map((row, index) => (
        <Row
          key={index}
          number={index + 1}
          offered={offered}
          row={row}
          onChange={(changes) => change(index, changes)}
          onRemove={() => onChange(rows.filter((_, at) => at !== index))}
        />
      ))}
      <p>
        <button
          type="button"
          class="small"
          onClick={() =>
            onChange([
              ...rows,
              { name: first?.name ?? '', operator: first?.operators[0] ?? 'eq', value: '' },
            ])
          }
        >
          Add a filter
        </button>
      </p>
    </fieldset>
  );
}

interface RowProps {
  number: number;
  offered: readonly ProviderFilter[];
  row: FilterRow;
  onChange: (changes: Partial<FilterRow>) => void;
  onRemove: () => void;
}

function Row({ number, offered, row, onChange, onRemove }: RowProps) {
  const values = useId();
  const chosen = offered.find(({ name }) => name === row.name);
  return (
    <div class="filter">
      <select
        aria-label={`Field of filter ${number}`}
        value={row.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      >
        {offered.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        aria-label={`Comparison of filter ${number}`}
        value={row.operator}
        onChange={(event) => onChange({ operator: event.currentTarget.value })}
      >
        {(chosen?.operators ?? ['eq']).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <input
        aria-label={`Value of filter ${number}`}
        dir="auto"
        list={values}
        value={row.value}
        onInput={(event) => onChange({ value: event.currentTarget.value })}
      />
      <datalist id={values}>
        {(chosen?.values ?? []).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="button" class="small" aria-label={`Remove filter ${number}`} onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}
