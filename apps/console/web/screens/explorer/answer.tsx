import { useMemo, useState } from 'preact/hooks';
import type { Response } from '../../api/client.js';
import { Copy } from '../../parts/copy.js';
import { Status } from '../../parts/drawer.js';
import { JsonText } from '../../parts/json-text.js';
import { bytes } from '../../parts/numbers.js';
import { saveAs } from '../../parts/save-as.js';
import { Table } from '../../parts/table.js';
import { formatJson } from './format-json.js';
import { type Way, Ways, waysOf } from '../../parts/mappings/ways.js';

type View = 'together' | 'table' | 'json' | 'provider' | 'both' | 'mappings';
const labels: Record<View, string> = {
  together: 'Table and JSON',
  table: 'Table',
  json: 'JSON',
  provider: 'From the provider',
  both: 'Beside each other',
  mappings: 'Through the mappings',
};
const maxShown = 1_000_000;
const maxColumns = 8;
/** Fields by which people know a record and act on it; the columns of a table begin with them. */
const first = ['id', 'name', 'title', 'status', 'state', 'priority', 'severity', 'assignee'];

interface Parsed {
  records: readonly Record<string, unknown>[];
  cursor: string | undefined;
  /** The provider's answer, and the address that it came from. */
  provider: { url: string; response: string } | undefined;
  /** Records on their way through the mappings, where it was asked for. */
  ways: readonly Way[];
}

/** An answer as a table, as JSON and, where it was asked for, as the provider sent it and as each mapping made it. */
export function Answer({ answer, onNext }: { answer: Response; onNext: (cursor: string) => void }) {
  const { text } = answer;
  const parsed = useMemo(() => parse(text), [text]);
  const offered: Record<View, boolean> = {
    together: parsed.records.length > 0,
    table: parsed.records.length > 0,
    json: true,
    provider: parsed.provider !== undefined,
    both: parsed.provider !== undefined,
    mappings: parsed.ways.length > 0,
  };
  const views = (Object.keys(labels) as View[]).filter((one) => offered[one]);
  const [wanted, setWanted] = useState<View>('together');
  const view = views.includes(wanted) ? wanted : 'json';
  const shown = view === 'provider' ? (parsed.provider?.response ?? '') : text;
  return (
    <>
      <Outcome answer={answer} />
      {text === '' ? (
        <p class="empty">The answer has no content.</p>
      ) : (
        <>
          <div class="views">
            <div class="switch" role="group" aria-label="View">
              {views.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={one === view}
                  onClick={() => setWanted(one)}
                >
                  {labels[one]}
                </button>
              ))}
            </div>
            {parsed.cursor !== undefined && (
              <button type="button" class="small" onClick={() => onNext(parsed.cursor ?? '')}>
                Next page
              </button>
            )}
          </div>
          {(view === 'table' || view === 'together') && <Records records={parsed.records} />}
          {view === 'mappings' && <Ways ways={parsed.ways} />}
          {view === 'both' && (
            <div class="columns">
              <Text text={text} name={labels.json} from="As Onefold returns it" />
              <Text
                text={parsed.provider?.response ?? ''}
                name={labels.provider}
                from={`As ${parsed.provider?.url ?? ''} returned it`}
              />
            </div>
          )}
          {(view === 'json' || view === 'provider' || view === 'together') && (
            <Text
              text={shown}
              name={view === 'provider' ? labels.provider : labels.json}
              from={view === 'provider' ? parsed.provider?.url : undefined}
            />
          )}
          {parsed.records.length === 0 && /"result":\s*\[\]/.test(text) && (
            <p class="empty">The list is empty.</p>
          )}
        </>
      )}
    </>
  );
}

interface OutcomeProps {
  answer: Response;
  /** Name of the system, where there are several. */
  of?: string;
}

/** Status, time, size and id of an answer. */
export function Outcome({ answer, of }: OutcomeProps) {
  const { status, ms, text, requestId } = answer;
  return (
    <p class="hint">
      {of !== undefined && (
        <>
          <bdi>{of}</bdi>:{' '}
        </>
      )}
      <Status request={{ status }} /> · {ms} ms · {bytes(new Blob([text]).size)}
      {requestId !== undefined && (
        <>
          {' '}
          · <code>{requestId}</code>
        </>
      )}
    </p>
  );
}

function parse(text: string): Parsed {
  const none = { records: [], cursor: undefined, provider: undefined, ways: [] };
  try {
    const { result, cursor, meta } = JSON.parse(text) as {
      result?: unknown;
      cursor?: string;
      meta?: { api?: { response?: { primary?: Parsed['provider'] } }; mapping?: object };
    };
    return {
      records: Array.isArray(result) ? result.filter(isRecord) : [],
      cursor: cursor === '' ? undefined : cursor,
      provider: meta?.api?.response?.primary,
      ways: meta?.mapping === undefined ? [] : waysOf(text),
    };
  } catch {
    return none; // a text that is not JSON is shown as it is
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that are not objects, of the first records; the JSON has all. */
function Records({ records }: { records: Parsed['records'] }) {
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))].filter((name) =>
    records.some(({ [name]: value }) => value !== null && typeof value !== 'object'),
  );
  const columns = [...first.filter((name) => names.includes(name)), ...names]
    .filter((name, index, all) => all.indexOf(name) === index)
    .slice(0, maxColumns);
  return (
    <div class="records">
      <Table columns={columns} name="Records">
        {records.map((record, index) => (
          <tr key={index}>
            {columns.map((name) => (
              <td key={name} dir="auto" class="cell">
                {cellOf(record[name])}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <p class="hint">
        {records.length === 1 ? '1 record' : `${records.length} records`}
        {names.length > columns.length && `, ${columns.length} of ${names.length} plain fields`}.
      </p>
    </div>
  );
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'object' ? '…' : `${value as string | number | boolean}`;
}

interface TextProps {
  text: string;
  name: string;
  /** Where it comes from. */
  from?: string | undefined;
}

/** A text of an answer: the beginning of a long one, and all of it as a file. */
export function Text({ text, name, from }: TextProps) {
  const isLong = text.length > maxShown;
  const shown = useMemo(() => {
    const part = isLong ? text.slice(0, maxShown) : text;
    return /^\s*[[{]/.test(part) ? formatJson(part) : part;
  }, [text]);
  return (
    <div class="text">
      {from !== undefined && (
        <p class="hint">
          <code>{from}</code>
        </p>
      )}
      <pre class="answer" role="group" tabIndex={0} aria-label={name}>
        <JsonText text={shown} />
      </pre>
      <p class="buttons">
        {isLong && (
          <span class="hint">
            The first {bytes(maxShown)} of {bytes(text.length)}.
          </span>
        )}
        <button
          type="button"
          class="small"
          onClick={() => saveAs(new Blob([text], { type: 'application/json' }), 'answer.json')}
        >
          Download
        </button>
        <Copy text={text} name={`whole answer (${name})`} label={isLong ? 'Copy all' : 'Copy'} />
      </p>
    </div>
  );
}
