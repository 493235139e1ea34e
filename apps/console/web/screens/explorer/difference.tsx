import { useMemo, useState } from 'preact/hooks';
import { Select } from '../../parts/select.js';
import { Cell } from '../../parts/mappings/steps.js';
import {
  compareFields,
  type ComparedField,
  contentOf,
  counterpartOf,
  filledFields,
  type Verdict,
} from './compare-records.js';

const maxRows = 200;
const maxListed = 100;
const maxName = 60;

interface Side {
  /** Name of the integration. */
  name: string;
  /** Its answer. */
  text: string;
}

interface Props {
  sides: readonly [first: Side, second: Side];
  /** Fields of a record in the order of the contract. */
  order: readonly string[];
}

/** The records of two systems beside each other, field by field. */
export function Difference({ sides, order }: Props) {
  const [first, second] = sides;
  const contents = useMemo(
    () => [contentOf(first.text), contentOf(second.text)] as const,
    [first.text, second.text],
  );
  const reasons = contents.flatMap((content, index) => {
    const name = sides[index]?.name ?? '';
    if (content === 'too large')
      return `The answer of ${name} is too large to be compared here. Ask for fewer records, such as by “Limit”.`;
    if (content === 'no records') return `The answer of ${name} has no records to compare.`;
    return content.records.length === 0 ? `${name} has no record that the request asks for.` : [];
  });
  const [one, other] = contents;
  if (reasons.length > 0 || typeof one === 'string' || typeof other === 'string')
    return reasons.map((text) => (
      <p key={text} class="note">
        {text}
      </p>
    ));
  return (
    <OfRecords
      names={distinct(first.name, second.name)}
      all={[one.records, other.records]}
      order={order}
    />
  );
}

type Two<Value> = readonly [first: Value, second: Value];

function distinct(first: string, second: string): Two<string> {
  return first === second ? [`${first} (1)`, `${second} (2)`] : [first, second];
}

interface OfRecordsProps {
  names: Two<string>;
  all: Two<readonly object[]>;
  order: readonly string[];
}

function OfRecords({ names, all, order }: OfRecordsProps) {
  const [pair, setPair] = useState<Two<number>>([0, counterpartOf(all[0][0], all[1])]);
  const [shown, setShown] = useState<Verdict>();
  const filled = useMemo(() => [filledFields(all[0]), filledFields(all[1])] as const, [all]);
  const rows = useMemo(() => compareFields(filled, pair, order), [filled, pair, order]);
  const found = rows.filter(({ verdict }) => shown === undefined || verdict === shown);
  const words = verdictWords(names);
  const neither = order.filter((name) =>
    rows.every(({ field }) => field !== name && !field.startsWith(`${name}.`)),
  );
  return (
    <div class="compared">
      {(all[0].length > 1 || all[1].length > 1) && (
        <div class="toolbar">
          <RecordChoice
            names={names}
            all={all}
            at={0}
            chosen={pair[0]}
            onChange={(index) => setPair([index, counterpartOf(all[0][index], all[1])])}
          />
          <RecordChoice
            names={names}
            all={all}
            at={1}
            chosen={pair[1]}
            onChange={(index) => setPair([pair[0], index])}
          />
        </div>
      )}
      <div class="switch" role="group" aria-label="Fields">
        <Shown isPressed={shown === undefined} onClick={() => setShown(undefined)}>
          {`All ${rows.length}`}
        </Shown>
        {(Object.keys(words) as Verdict[]).map((verdict) => {
          const count = rows.filter((row) => row.verdict === verdict).length;
          return (
            <Shown
              key={verdict}
              isPressed={shown === verdict}
              onClick={() => setShown(verdict)}
            >{`${words[verdict]}: ${count}`}</Shown>
          );
        })}
      </div>
      {found.length === 0 ? (
        <p class="empty">No field is like this.</p>
      ) : (
        <Fields rows={found} names={names} all={all} words={words} />
      )}
      {neither.length > 0 && (
        <p class="hint">Of the contract, neither fills: {neither.join(', ')}.</p>
      )}
    </div>
  );
}

function verdictWords([first, second]: Two<string>): Record<Verdict, string> {
  return {
    differs: 'Differs',
    first: `Only ${first}`,
    second: `Only ${second}`,
    same: 'Same',
  };
}

interface ShownProps {
  isPressed: boolean;
  onClick: () => void;
  children: string;
}

function Shown({ isPressed, onClick, children }: ShownProps) {
  return (
    <button type="button" aria-pressed={isPressed} onClick={onClick}>
      {children}
    </button>
  );
}

interface RecordChoiceProps extends Omit<OfRecordsProps, 'order'> {
  at: 0 | 1;
  chosen: number;
  onChange: (index: number) => void;
}

function RecordChoice({ names, all, at, chosen, onChange }: RecordChoiceProps) {
  const records = all[at];
  const options = records
    .slice(0, maxListed)
    .map((one, index) => [index, `${index + 1}. ${titleOf(one)}`]);
  return (
    <Select
      label={`Record of ${names[at]}, of ${records.length}`}
      value={String(chosen)}
      onChange={(value) => onChange(Number(value))}
    >
      {Object.fromEntries(options) as Record<string, string>}
    </Select>
  );
}

/** Names a record for people. */
function titleOf(record: object): string {
  const { fullname, name, title, id } = record as Record<string, unknown>;
  const texts = [fullname, name, title, id].filter((one) => typeof one === 'string');
  return (texts.find((one) => one !== '') ?? 'without a name').slice(0, maxName);
}

interface FieldsProps extends Omit<OfRecordsProps, 'order'> {
  rows: readonly ComparedField[];
  words: Record<Verdict, string>;
}

function Fields({ rows, names, all, words }: FieldsProps) {
  return (
    <>
      <div class="wide" tabIndex={0} role="region" aria-label="Fields of both systems">
        <table class="comparison">
          <thead>
            <tr>
              {['Field', 'Compared', ...names].map((heading) => (
                <th scope="col" key={heading}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map(({ field, counts, values, verdict }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{words[verdict]}</td>
                {([0, 1] as const).map((at) => (
                  <Cell
                    key={at}
                    text={values[at]}
                    absent={absentIn(counts[at])}
                    more={countIn(counts[at], all[at].length)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > maxRows && (
        <p class="hint">
          The first {maxRows} of {rows.length} fields.
        </p>
      )}
    </>
  );
}

function absentIn(count: number): string {
  return count === 0 ? 'not filled' : 'not in this record';
}

/** In how many records a field is filled, where it is not all or none of them. */
function countIn(count: number, total: number): string | undefined {
  return count === 0 || count === total ? undefined : `in ${count} of ${total} records`;
}
