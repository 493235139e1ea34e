import { useId, useState } from 'preact/hooks';
import { useRead } from '../../api/query.js';
import { CheckBoxes } from '../../parts/check-boxes.js';
import { isNamed } from '../../parts/domains.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { type Chosen, type EnvironmentName, environmentNames, every } from './point-values.js';

interface Props {
  domain: string;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

const titles: Record<EnvironmentName, string> = {
  test: 'Customers in test may connect',
  prod: 'Customers in production may connect',
};

/** Chooses the providers of a domain for each environment: all of them, or some. */
export function ProviderChoice({ domain, chosen, onChange }: Props) {
  return (
    <>
      {environmentNames.map((environment) => (
        <ProviderField
          key={environment}
          title={titles[environment]}
          domain={domain}
          ids={chosen[environment]}
          onChange={(ids) => onChange({ ...chosen, [environment]: ids })}
        />
      ))}
    </>
  );
}

interface ProviderFieldProps {
  title: string;
  domain: string;
  ids: readonly string[];
  fault?: string | undefined;
  onChange: (ids: readonly string[]) => void;
}

/** Chooses every provider of a domain, or some. */
export function ProviderField({ title, domain, ids, fault, onChange }: ProviderFieldProps) {
  const group = useId();
  const isEvery = ids.includes(every);
  return (
    <fieldset>
      <legend>{title}</legend>
      <label class="check">
        <input type="radio" name={group} checked={isEvery} onChange={() => onChange([every])} />
        Every system of the domain
      </label>
      <label class="check">
        <input type="radio" name={group} checked={!isEvery} onChange={() => onChange([])} />
        Only some
      </label>
      {!isEvery && <Some title={title} domain={domain} ids={ids} onChange={onChange} />}
      {fault !== undefined && <p class="wrong">{fault}</p>}
    </fieldset>
  );
}

function Some({ title, domain, ids, onChange }: ProviderFieldProps) {
  const domains = useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
  const [search, setSearch] = useState('');
  return (
    <Loaded of={domains} lines={3}>
      {({ result }) => {
        const all = result.find(({ id }) => id === domain)?.providers ?? [];
        const known = new Set<string>(all.map(({ id }) => id));
        const gone = ids.filter((id) => !known.has(id));
        const shown = all.filter((one) => ids.includes(one.id) || isNamed(one, search));
        return (
          <>
            <Field
              label={`Find a system: ${title}`}
              type="search"
              value={search}
              onInput={setSearch}
            />
            <div class="picks" role="group" aria-label={title}>
              <CheckBoxes
                choices={shown.map(({ id, fullname }) => [id, fullname])}
                chosen={ids}
                onChange={onChange}
              />
            </div>
            <p class="hint">
              {ids.length === 0
                ? 'Nobody can connect anything here while none is chosen.'
                : `${ids.length} chosen.`}
              {gone.length > 0 && ` Not installed here: ${gone.join(', ')}.`}
            </p>
          </>
        );
      }}
    </Loaded>
  );
}
