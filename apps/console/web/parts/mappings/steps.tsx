import { useMemo } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { JsonText } from '../json-text.js';
import { bytes } from '../numbers.js';
import { nameOfMapping } from './chains.js';
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

type Props = Tried & { isOld: boolean };

/** The result of a chain for a record, then each mapping of it. */
export function Steps(props: Props) {
  return (
    <>
      <Outcome {...props} />
      <Chain {...props} />
    </>
  );
}

/** The result beside the record, and its text. */
export function Outcome({ steps, input, isOld }: Props) {
  const last = steps.at(-1);
  const result = last?.output;
  const text = useMemo(() => textOf(result), [result]);
  return (
    <div class={isOld ? 'tried old' : 'tried'}>
      {isOld && <p class="hint">The last result, before the fault:</p>}
      {result !== undefined && <Comparison input={input} result={result} />}
      {last && text !== undefined && <Text mapping={last.mapping} text={text} />}
      {last && <WithoutOutput step={last} />}
    </div>
  );
}

/** Each mapping of a chain with what it changed. The output of the last one is the result, which is shown by itself. */
export function Chain({ steps, input, isOld }: Props) {
  const shown = useMemo(
    () =>
      steps.map((step, index) => ({
        step,
        text: textOf(step.output),
        summary: summaryOf(index === 0 ? input : steps[index - 1]?.output, step.output),
      })),
    [steps, input],
  );
  return (
    <ol class={isOld ? 'tried old' : 'tried'}>
      {shown.map(({ step, text, summary }, index) => {
        const { mapping } = step;
        const name = `${index + 1}. ${nameOfMapping(mapping)}`;
        if (text === undefined)
          return (
            <li key={index}>
              {name} <WithoutOutput step={step} />
            </li>
          );
        return (
          <li key={index}>
            {index === steps.length - 1 ? (
              <>
                {name} <small>{summary}</small>
              </>
            ) : (
              <details>
                <summary>
                  {name} <small>{summary}</small>
                </summary>
                <Text mapping={mapping} text={text} />
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Text({ mapping, text }: { mapping: string; text: string }) {
  return (
    <pre
      class="answer"
      role="group"
      tabIndex={0}
      aria-label={`Result of ${nameOfMapping(mapping)}`}
    >
      <JsonText text={text} />
    </pre>
  );
}

function WithoutOutput({ step: { dropped, truncated = false } }: { step: Step }) {
  if (!dropped && !truncated) return null;
  return (
    <p class="note">
      {dropped
        ? 'This mapping drops the record.'
        : 'This mapping made a record that is too large to be shown here.'}
    </p>
  );
}

function textOf(output: unknown): string | undefined {
  return output === undefined ? undefined : shortened(printExact(output));
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

interface CellProps {
  text: string | undefined;
  /** Said where there is no value. */
  absent?: string;
  /** Said below the value. */
  more?: string | undefined;
}

/** A value of a comparison, shortened. */
export function Cell({ text, absent = 'not there', more }: CellProps) {
  return (
    <td>
      {text === undefined ? (
        <small>{absent}</small>
      ) : (
        <code>{text.length > maxCell ? `${text.slice(0, maxCell)}…` : text}</code>
      )}
      {more !== undefined && <small class="more">{more}</small>}
    </td>
  );
}

function shortened(text: string): string {
  return text.length <= maxShown
    ? text
    : `${text.slice(0, maxShown)}\n… the first ${bytes(maxShown)} of ${bytes(text.length)}`;
}
