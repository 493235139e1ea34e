import { useMemo } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { bytes } from '../../parts/numbers.js';
import { printExact } from './exact-json.js';
import { changesBetween, summaryOf } from './fields.js';

const maxShown = 200_000;
const maxRows = 100;
const maxCell = 200;

export type Step = ManagementSchemas['AppliedMapping'] & { truncated?: boolean };

/** A chain that was run on a record, with the output of each mapping. */
export interface Tried {
  steps: readonly Step[];
  input: unknown;
}

/** The result beside the record; then each mapping of the chain with what it changed, the last one open. */
export function Steps({ steps, input, isOld }: Tried & { isOld: boolean }) {
  const shown = useMemo(
    () =>
      steps.map(({ mapping, output, dropped, truncated = false }, index) => ({
        ...{ mapping, dropped, truncated },
        text: output === undefined ? undefined : shortened(printExact(output)),
        summary: summaryOf(index === 0 ? input : steps[index - 1]?.output, output),
      })),
    [steps, input],
  );
  const result = steps.at(-1)?.output;
  return (
    <div class={isOld ? 'tried old' : 'tried'}>
      {isOld && <p class="hint">The last result, before the fault:</p>}
      {result !== undefined && <Comparison {...{ input, result }} />}
      {shown.map(({ mapping, text, summary, dropped, truncated }, index) => {
        if (dropped || truncated)
          return (
            <p class="note" key={index}>
              {index + 1}. {mapping}{' '}
              {dropped ? 'drops this record.' : 'made a record that is too large to be shown here.'}
            </p>
          );
        if (text === undefined) return null;
        return (
          <details key={index} open={index === steps.length - 1}>
            <summary>
              {index + 1}. {mapping} <small>{summary}</small>
            </summary>
            <pre class="answer" role="group" tabIndex={0} aria-label={`Result of ${mapping}`}>
              {text}
            </pre>
          </details>
        );
      })}
    </div>
  );
}

/** The result beside the record. A record that was taken from the customer is what the built-in mapping has made. */
function Comparison({ input, result }: { input: unknown; result: unknown }) {
  const { changes, same } = useMemo(() => changesBetween(input, result), [input, result]);
  const unchanged = same === 1 ? 'One field is the same.' : `${same} fields are the same.`;
  if (changes.length === 0) return <p class="hint">Compared with the record: no change.</p>;
  return (
    <details open>
      <summary>
        Compared with the record{' '}
        <small>
          {changes.length === 1 ? 'one field differs' : `${changes.length} fields differ`}
        </small>
      </summary>
      <div class="wide" tabIndex={0} role="region" aria-label="Fields that differ">
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Record</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, maxRows).map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <Cell text={before} />
                <Cell text={after} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">
        {changes.length > maxRows && `The first ${maxRows} are shown. `}
        {unchanged}
      </p>
    </details>
  );
}

function Cell({ text }: { text: string | undefined }) {
  if (text === undefined)
    return (
      <td>
        <small>not there</small>
      </td>
    );
  return (
    <td>
      <code>{text.length > maxCell ? `${text.slice(0, maxCell)}…` : text}</code>
    </td>
  );
}

function shortened(text: string): string {
  return text.length <= maxShown
    ? text
    : `${text.slice(0, maxShown)}\n… the first ${bytes(maxShown)} of ${bytes(text.length)}`;
}
