import { useId, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { CheckBoxes } from '../../parts/check-boxes.js';
import { isNamed, type Provider } from '../../parts/domains.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { consequenceOf, isReleased, NotForProduction, StageMark } from '../../parts/released.js';
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
        {isForCustomers
          ? 'Every system of the domain that is for production'
          : 'Every system of the domain'}
      </label>
      <label class="check">
        <input type="radio" name={group} checked={!isEvery} onChange={() => onChange([])} />
        Only some
      </label>
      {isEvery && isForCustomers && <LeftOut domain={domain} />}
      {!isEvery && <Some {...props} />}
      {isForCustomers && <Unreleased domain={domain} ids={ids} />}
      {fault !== undefined && <p class="wrong">{fault}</p>}
    </fieldset>
  );
}

/** Warns of providers that customers in production are offered because somebody has named them. */
function Unreleased({ domain, ids }: { domain: string; ids: readonly string[] }) {
  const domains = useDomains();
  const all = domains.data?.result.find(({ id }) => id === domain)?.providers ?? [];
  return all
    .filter((one) => !isReleased(one) && ids.includes(one.id))
    .map(({ id, fullname }) => (
      <p class="note warn" key={id}>
        <strong>Customers in production are offered {fullname}.</strong> {consequenceOf(id)}
      </p>
    ));
}

/** Says how many providers customers in production are not offered, though the API may still connect them. */
function LeftOut({ domain }: { domain: string }) {
  const domains = useDomains();
  const all = domains.data?.result.find(({ id }) => id === domain)?.providers ?? [];
  const count = all.filter((one) => !isReleased(one)).length;
  if (count === 0) return null;
  return (
    <p class="hint">
      Customers are not offered {count === 1 ? 'another one' : `${count} others`}: mocks, custom
      providers in development, and what nothing has shown to work. Your programs may connect{' '}
      {count === 1 ? 'it' : 'them'} by the API.
    </p>
  );
}

export type Domains = Result<'capabilities_list_connectors'>['result'];

export function useDomains() {
  return useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
}

/** Ids of the providers of a domain that are for production. */
export function releasedIn(domains: Domains, domain: string): string[] {
  const providers = domains.find(({ id }) => id === domain)?.providers ?? [];
  return providers.filter(isReleased).map(({ id }) => id);
}

function Some({ title, domain, ids, isForCustomers, onChange }: ProviderFieldProps) {
  const domains = useDomains();
  const [search, setSearch] = useState('');
  const [isAllShown, setAllShown] = useState(false);
  return (
    <Loaded of={domains} lines={3}>
      {({ result }) => {
        const all = result.find(({ id }) => id === domain)?.providers ?? [];
        const known = new Set<string>(all.map(({ id }) => id));
        const gone = ids.filter((id) => !known.has(id));
        const isOffered = (one: Provider) => !isForCustomers || isAllShown || isReleased(one);
        const shown = all.filter(
          (one) => ids.includes(one.id) || (isOffered(one) && isNamed(one, search)),
        );
        const left = isForCustomers
          ? all.filter((one) => !isReleased(one) && !ids.includes(one.id))
          : [];
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
                choices={shown.map((one) => [one.id, <Marked key={one.id} provider={one} />])}
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
            {left.length > 0 && (
              <p class="hint">
                {left.length} that {left.length === 1 ? 'is' : 'are'} not for production{' '}
                {left.length === 1 ? 'is' : 'are'} left out: mocks, custom providers in development,
                and what nothing has shown to work.{' '}
                <button
                  type="button"
                  class="small"
                  aria-pressed={isAllShown}
                  onClick={() => setAllShown(!isAllShown)}
                >
                  Show them all the same
                </button>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** A provider among others, of which some are mocks and drafts of the organization. */
function Marked({ provider }: { provider: Provider }) {
  return (
    <>
      {provider.fullname} <StageMark of={provider} />{' '}
      {!isReleased(provider) && <NotForProduction />}
    </>
  );
}
