import { useState } from 'preact/hooks';
import { setSearch } from '../../location.js';
import { announce } from '../../parts/announce.js';
import { errorOf } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { ProblemBox } from '../../parts/problem.js';
import {
  forgetRequest,
  maxSaved,
  otherRequests,
  savedRequests,
  saveRequest,
  type SavedRequest,
  type Typed,
} from './saved-requests.js';

interface Props {
  operation: string;
  typed: Typed;
  /** Said where a part of the request is not kept. */
  note: string;
}

/** Saves what is typed into a request under a name. */
export function SaveRequest({ operation, typed, note }: Props) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<Error>();
  const save = () => {
    setError(undefined);
    const found = faultOf(name.trim(), operation);
    setFault(found);
    if (found !== undefined) return;
    try {
      saveRequest({ ...typed, operation, name: name.trim() });
    } catch (failure) {
      setError(errorOf(failure)); // the browser keeps nothing, or no more
      return;
    }
    announce(`${name.trim()} is saved`);
    setName('');
  };
  return (
    <details>
      <summary>Save this request</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label="Name of the request"
          value={name}
          onInput={setName}
          fault={fault}
          hint={`This browser keeps it, for this organization only. ${note}`}
        />
        <div class="buttons start">
          <button type="submit">Save request</button>
        </div>
      </form>
      {error && <ProblemBox error={error} />}
    </details>
  );
}

function faultOf(name: string, operation: string): string | undefined {
  if (name === '') return 'This is needed.';
  return otherRequests({ name, operation }).length >= maxSaved
    ? `${maxSaved} requests are saved already: delete one of them first.`
    : undefined;
}

/** The saved requests of some operations, to open or to delete. */
export function SavedRequests({ operations }: { operations: ReadonlySet<string> }) {
  const saved = savedRequests.value.filter((one) => operations.has(one.operation));
  if (saved.length === 0) return null;
  const forget = ({ id, name }: SavedRequest) => {
    forgetRequest(id);
    announce(`${name} is deleted`);
  };
  return (
    <details open>
      <summary>
        Saved requests <small>{saved.length}</small>
      </summary>
      <ul class="lines">
        {saved.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="quiet grow"
              onClick={() => setSearch({ operation: one.operation, saved: one.id })}
            >
              <bdi>{one.name}</bdi>
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Delete the saved request ${one.name}`}
              onClick={() => forget(one)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
