import { useState } from 'preact/hooks';
import { managementOperations } from '../../api/operations.js';
import { mayCall } from '../../api/permissions.js';
import { setSearch } from '../../location.js';
import { Field } from '../../parts/field.js';
import { Link } from '../../parts/link.js';
import { operationName } from '../../parts/operation-name.js';
import { OptionChoice } from '../../parts/option-choice.js';
import { RecordChoice } from '../../parts/record-choice.js';
import { Select } from '../../parts/select.js';
import { TimeField } from '../../parts/time-field.js';
import { type AuditFilter, kinds } from './filters.js';

interface Props {
  filter: AuditFilter;
}

const operations = [
  { value: '', label: 'All operations' },
  ...managementOperations.map(({ id }) => ({ value: id, label: operationName(id), detail: id })),
];

const set = (part: Partial<AuditFilter>) => setSearch({ ...part, after: '', open: '' });

/** Controls that limit the list. */
export function AuditFilters({ filter }: Props) {
  const { what, operation, member, record, from, to } = filter;
  return (
    <div class="toolbar filters">
      <Select label="What" value={what} onChange={(value) => set({ what: value })}>
        {Object.fromEntries(Object.entries(kinds).map(([id, { label }]) => [id, label]))}
      </Select>
      <OptionChoice
        label="Operation"
        chosen={operation}
        options={operations}
        onChoose={(value) => set({ operation: value })}
      />
      {mayCall('members_list') && (
        <RecordChoice
          operation="members_list"
          kind="member"
          label="Who"
          chosen={member}
          first={[{ value: '', label: 'Everybody' }]}
          onChoose={(value) => set({ member: value })}
        />
      )}
      <Record key={record} value={record} />
      <TimeField label="From" value={from} onChange={(value) => set({ from: value })} />
      <TimeField label="Until" value={to} onChange={(value) => set({ to: value })} />
      {Object.values(filter).some((text) => text !== '') && <Link to="/audit">Clear</Link>}
    </div>
  );
}

/** It is asked for when the field is left or Enter is pressed: an id is pasted, not typed. */
function Record({ value }: { value: string }) {
  const [text, setText] = useState(value);
  const ask = () => set({ record: text.trim() });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <Field
        label="Record"
        type="search"
        value={text}
        placeholder="Id, or part of a path"
        onInput={setText}
        onLeave={ask}
      />
    </form>
  );
}
