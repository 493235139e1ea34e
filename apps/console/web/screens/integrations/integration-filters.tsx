import { useRead } from '../../api/query.js';
import { setSearch } from '../../location.js';
import { OptionChoice } from '../../parts/option-choice.js';
import { AccountChoice } from '../../parts/record-choice.js';
import { Select } from '../../parts/select.js';
import { ListControls } from '../../parts/integration-list/controls.js';
import type { IntegrationFilter } from '../../parts/integration-list/filter.js';

const all = { value: '', label: 'All' };

/** Controls that limit the list. */
export function IntegrationFilters({ filter }: { filter: IntegrationFilter }) {
  const { provider, domain, account } = filter;
  const domains =
    useRead('capabilities_list_connectors', { query: { expand: 'providers' } }).data?.result ?? [];
  const providers = domains
    .filter(({ id }) => domain === '' || id === domain)
    .flatMap((one) => one.providers ?? []);
  const set = (part: Partial<IntegrationFilter>) => setSearch({ ...part, after: '' });
  return (
    <>
      <ListControls filter={filter} label="Name or customer contains" />
      <Select
        label="Domain"
        value={domain}
        onChange={(value) => set({ domain: value, provider: '' })}
      >
        {{
          '': 'All',
          ...Object.fromEntries(
            domains
              .filter((one) => one.provider_ids.length > 0)
              .map(({ id, fullname }) => [id, fullname]),
          ),
        }}
      </Select>
      <OptionChoice
        label="Provider"
        chosen={provider}
        options={[all, ...providers.map(({ id, fullname }) => ({ value: id, label: fullname }))]}
        onChoose={(value) => set({ provider: value })}
      />
      <AccountChoice
        label="Account"
        chosen={account}
        first={[all]}
        onChoose={(value) => set({ account: value })}
      />
    </>
  );
}
