import { useId, useState } from 'preact/hooks';
import type { Result } from '#contract';
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
          isForCustomers={environment === 'prod'}
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
  /** Whether people choose among them for their own data. */
  isForCustomers?: boolean;
  onChange: (ids: readonly string[]) => void;
}

/** Chooses every provider of a domain, or some. */
export function ProviderField(props: ProviderFieldProps) {
  const { title, domain, ids, fault, isForCustomers = false, onChange } = props;
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
      {isEvery && isForCustomers && <Unproven domain={domain} />}
      {!isEvery && <Some {...props} />}
      {fault !== undefined && <p class="wrong">{fault}</p>}
    </fieldset>
  );
}

/** Says that all providers of a domain are more than those that somebody means. */
function Unproven({ domain }: { domain: string }) {
  const domains = useDomains();
  const all = domains.data?.result.find(({ id }) => id === domain)?.providers ?? [];
  const count = all.filter((one) => !isProven(one)).length;
  if (count === 0) return null;
  return (
    <p class="hint">
      With {count === 1 ? 'one' : count} that nothing has shown to work, such as mocks and custom
      providers.
    </p>
  );
}

export type Domains = Result<'capabilities_list_connectors'>['result'];
type Provider = NonNullable<Domains[number]['providers']>[number];

export function useDomains() {
  return useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
}

/** Whether something has shown that a provider works; behind a mock there is no system. */
function isProven({ proof }: Provider): boolean {
  return proof !== undefined && proof !== null && proof !== 'none';
}

/** Ids of the providers of a domain that have been shown to work. */
export function provenIn(domains: Domains, domain: string): string[] {
  const providers = domains.find(({ id }) => id === domain)?.providers ?? [];
  return providers.filter(isProven).map(({ id }) => id);
}

function Some({ title, domain, ids, isForCustomers, onChange }: ProviderFieldProps) {
  const domains = useDomains();
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
              {isForCustomers && all.some((one) => !isProven(one) && !ids.includes(one.id))
                ? ' Mocks and other systems that nothing has shown to work are left out.'
                : ''}
              {gone.length > 0 && ` Not installed here: ${gone.join(', ')}.`}
            </p>
          </>
        );
      }}
    </Loaded>
  );
}
