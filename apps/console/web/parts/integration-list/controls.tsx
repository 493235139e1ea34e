import { setSearch } from '../../location.js';
import { Select } from '../select.js';
import { states } from '../state.js';
import { type IntegrationFilter, orders } from './filter.js';

const labels = (of: readonly (readonly [id: string, label: string])[]) => Object.fromEntries(of);

/** Search, state and order of a list of integrations. @param label says what the search looks at */
export function ListControls({ filter, label }: { filter: IntegrationFilter; label: string }) {
  const set = (part: Partial<IntegrationFilter>) => setSearch({ ...part, after: '' });
  return (
    <>
      <label>
        {label}
        <input
          type="search"
          value={filter.name}
          onInput={(event) => setSearch({ name: event.currentTarget.value, after: '' }, true)}
        />
      </label>
      <Select label="State" value={filter.state} onChange={(state) => set({ state })}>
        {{ '': 'All', ...labels(Object.entries(states).map(([id, one]) => [id, one.label])) }}
      </Select>
      <Select label="Order" value={filter.order} onChange={(order) => set({ order })}>
        {labels(Object.entries(orders).map(([id, [name]]) => [id, name]))}
      </Select>
    </>
  );
}
