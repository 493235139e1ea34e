import { useState } from 'preact/hooks';
import { operationOf } from '../../api/operations.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { bytes } from '../../parts/numbers.js';
import { ProblemBox } from '../../parts/problem.js';
import { TextArea } from '../../parts/text-area.js';
import { Waiting } from '../../parts/waiting.js';
import { sendThrough } from '../../api/integration-token.js';
import { nameOfMapping } from '../../parts/mappings/chains.js';
import { type Way, waysOf } from '../../parts/mappings/ways.js';
import { parseExact, printExact } from '../../parts/mappings/exact-json.js';
import { beforeOwnMappings } from './many-records.js';
import { Pane } from './panes.js';
import { redact } from './redact.js';
import { Steps } from '../../parts/mappings/steps.js';
import type { Subject } from './subject.js';

/** Characters of a record that fit into one request, with room for the document. */
export const maxRecord = 700_000;

interface Props {
  subject: Subject;
  sample: string;
  onChange: (sample: string) => void;
}

/** The record that the mapping is tried on: pasted, or read from the customer's system. */
export function Record({ subject: { path, operation }, sample, onChange }: Props) {
  const { run, cancel, since, error, isBusy } = useAttempt();
  const [isNone, setIsNone] = useState(false);
  const [way, setWay] = useState<Way>();
  const { method, path: address } = operationOf(operation);
  const isList = method === 'GET' && !address.includes('{');
  const read = () =>
    run(async (signal) => {
      setIsNone(false);
      setWay(undefined);
      const query = { limit: 1, meta: ['mapping/trace(1)'] };
      const { text } = await sendThrough(path, operation, { query }, signal);
      const [shown] = (parseExact(text) as { result: unknown[] }).result;
      const [taken] = waysOf(text);
      setWay(taken);
      const record = beforeOwnMappings(taken) ?? shown;
      setIsNone(record === undefined);
      if (record === undefined) return;
      onChange(printExact(record));
      announce('The record is there');
    });
  return (
    <Pane
      name="record"
      title="Record"
      actions={
        <>
          {isList && (
            <Action
              operation="tokens_create_integration_token"
              kind="small"
              isBusy={isBusy}
              onClick={() => void read()}
            >
              Take a record of the customer
            </Action>
          )}
          {sample !== '' && sample.length <= maxRecord && isRecord(sample) && (
            <button type="button" class="small" onClick={() => onChange(redact(sample))}>
              Replace its values
            </button>
          )}
        </>
      }
    >
      {sample.length > maxRecord ? (
        <p class="note">
          The record has {bytes(sample.length)}, which is too long to edit here.{' '}
          <button type="button" class="small" onClick={() => onChange('')}>
            Remove it
          </button>
        </p>
      ) : (
        <TextArea
          label={<span class="unseen">Record as JSON</span>}
          value={sample}
          onInput={onChange}
          maxPasted={maxRecord}
          note="It stays in this tab, and is not kept in the audit trail."
        />
      )}
      {since !== undefined && (
        <Waiting since={since} onCancel={cancel}>
          Reading a record …
        </Waiting>
      )}
      {isNone && <p class="note">The customer’s system has no such record.</p>}
      {error && <ProblemBox error={error} />}
      {way && (
        <details class="way">
          <summary>
            What the stored chain makes of it <small>{namesOf(way)}</small>
          </summary>
          <Steps steps={way.steps} input={way.input} isOld={false} />
        </details>
      )}
    </Pane>
  );
}

function namesOf({ steps }: Way): string {
  return steps.map(({ mapping }) => nameOfMapping(mapping)).join(' → ');
}

function isRecord(sample: string): boolean {
  try {
    JSON.parse(sample);
    return true;
  } catch {
    return false; // while somebody types
  }
}
