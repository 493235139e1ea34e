import { useState } from 'preact/hooks';
import { connectorOperations } from '../../api/operations.js';
import { go, setSearch } from '../../location.js';
import { Field } from '../../parts/field.js';
import { Link } from '../../parts/link.js';
import { operationName } from '../../parts/operation-name.js';
import { OptionChoice } from '../../parts/option-choice.js';
import { idOfRequest } from '../../parts/request-id.js';
import { Select } from '../../parts/select.js';
import { TimeField } from '../../parts/time-field.js';
import { AccountChoice } from '../../parts/record-choice.js';
import { IntegrationChoice } from '../../parts/integration-choice.js';
import { endings, type RequestFilter } from './filters.js';

const slower = { '': 'Any', 500: '0.5 s', 1000: '1 s', 5000: '5 s', 30000: '30 s' };
const ranges = { '15 minutes': 15, hour: 60, day: 1_440 };
const all = { value: '', label: 'All' };
const operations = [
  all,
  ...connectorOperations.map(({ id }) => ({ value: id, label: operationName(id), detail: id })),
];

const set = (part: Partial<RequestFilter>) => setSearch({ ...part, after: '' });

/** Controls that limit the list. */
export function RequestFilters({ filter }: { filter: RequestFilter }) {
  const since = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  return (
    <div class="toolbar filters">
      <Select label="Ended" value={filter.ended} onChange={(value) => set({ ended: value })}>
        {Object.fromEntries(Object.entries(endings).map(([id, { label }]) => [id, label]))}
      </Select>
      <AccountChoice
        label="Account"
        chosen={filter.account}
        first={[all]}
        onChoose={(value) => set({ account: value, integration: '' })}
      />
      <IntegrationChoice
        label="Integration"
        chosen={filter.integration}
        filter={filter.account === '' ? [] : [`account_id[eq]${filter.account}`]}
        first={[all]}
        onChoose={(value) => set({ integration: value })}
      />
      <OptionChoice
        label="Operation"
        chosen={filter.operation}
        options={operations}
        onChoose={(operation) => set({ operation })}
      />
      <Select
        label="Slower than"
        value={filter.slower}
        onChange={(value) => set({ slower: value })}
      >
        {slower}
      </Select>
      <TimeField label="From" value={filter.from} onChange={(value) => set({ from: value })} />
      <TimeField label="Until" value={filter.to} onChange={(value) => set({ to: value })} />
      <RequestId />
      <p class="changes">
        {Object.entries(ranges).map(([name, minutes]) => (
          <button
            type="button"
            class="small"
            key={name}
            onClick={() => set({ from: since(minutes), to: '' })}
          >
            Last {name}
          </button>
        ))}
        {Object.values(filter).some((text) => text !== '') && <Link to="/requests">Clear</Link>}
      </p>
    </div>
  );
}

/** Leads to one call: its id is pasted, from a problem or a header. */
function RequestId() {
  const [text, setText] = useState('');
  const id = idOfRequest(text);
  const isOther = text.trim() !== '' && id === undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== undefined) go(`/requests/${id}`);
      }}
    >
      <Field
        label="Id of a request"
        type="search"
        value={text}
        placeholder="Paste it, then Enter"
        fault={
          isOther
            ? 'It is the end of “instance” of a problem, or the header x-request-id.'
            : undefined
        }
        onInput={setText}
      />
    </form>
  );
}
