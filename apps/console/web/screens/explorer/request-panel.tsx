import { useEffect, useRef, useState } from 'preact/hooks';
import { type Response, sendForText } from '../../api/client.js';
import type { Input } from '../../api/operations.js';
import { session } from '../../api/session.js';
import { plain, type Schema } from '../../forms/schema.js';
import { faultsIn, type Values } from '../../forms/values.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { CheckBoxes } from '../../parts/check-boxes.js';
import { Confirm } from '../../parts/confirm.js';
import { ProblemBox } from '../../parts/problem.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { TextArea } from '../../parts/text-area.js';
import { Waiting } from '../../parts/waiting.js';
import { Answer } from './answer.js';
import { type ApiDocument, type Declared, skeletonOf } from './api-documents.js';
import { Command } from './command.js';
import { type FilterRow, Filters, filterTextsOf } from './filters.js';
import { sendThrough } from './integration-token.js';
import { bodyFault, inputOf, parameterFaults, parameterFields } from './request-input.js';
import { SecondSystem, type Sent } from './second-system.js';
import type { Target } from './target.js';

/** Operations that read by a POST. */
const isSearch = /_(?:query|list|get|search)_/;

interface Props {
  operation: Declared;
  api: ApiDocument;
  /** Undefined for the management API. */
  target: Target | undefined;
}

/** The request of an operation: its form, its command, and its answer. */
export function RequestPanel({ operation, api, target }: Props) {
  const { offered } = target ?? {};
  const filters = offered?.filters ?? [];
  const special = new Set(['meta', ...(filters.length > 0 ? ['filter'] : [])]);
  const fields = parameterFields(operation, api, special);
  const [values, setValues] = useState<Values>({});
  const [rows, setRows] = useState<readonly FilterRow[]>([]);
  const [meta, setMeta] = useState<readonly string[]>([]);
  const [body, setBody] = useState(() =>
    operation.body && operation.isBodyRequired
      ? JSON.stringify(skeletonOf(operation.body, api.resolve), null, 2)
      : '',
  );
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [sent, setSent] = useState<Sent>();
  const { run, cancel, since, error, isBusy, isCancelled } = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  const [isAsked, setAsked] = useState<boolean>();
  const isWrite = !['GET', 'HEAD'].includes(operation.method) && !isSearch.test(operation.id);
  const isProd = target?.environment === 'prod';
  const faults = new Map([...parameterFaults(error), ...missing]);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error, missing]);
  const input = inputOf(fields, values, { body, meta, filter: filterTextsOf(rows) });
  const send = (cursor?: string) =>
    run(async (signal) => {
      setAsked(undefined);
      const found = faultsIn([...fields.path, ...fields.query], values);
      setMissing(found);
      if (found.size > 0 || bodyFault(body, undefined) !== undefined) return;
      setSent(undefined);
      const page = cursor === undefined ? input : { ...input, query: { ...input.query, cursor } };
      const response = await sendBy(operation, target, page, signal);
      setSent({ input, response });
      announce(`The answer is there, with status ${response.status}`);
    });
  return (
    <div class="request">
      <section class="card" aria-labelledby="request">
        <h2 id="request">{operation.summary}</h2>
        <p class="hint">
          <code>
            {operation.method} {operation.path}
          </code>
          {offered?.needs && ` · needs at the provider: ${offered.needs}`}
        </p>
        {offered?.supported === false && (
          <p class="note">The provider does not support this operation; it will answer so.</p>
        )}
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isWrite && isProd) setAsked(true);
            else void send();
          }}
        >
          <SchemaForm
            fields={[...fields.path, ...fields.query]}
            values={values}
            faults={faults}
            onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
          />
          {filters.length > 0 && operation.parameters.some(({ name }) => name === 'filter') && (
            <Filters offered={filters} rows={rows} onChange={setRows} />
          )}
          {operation.body && (
            <>
              <TextArea
                label={operation.isBodyRequired ? 'Body' : 'Body (optional)'}
                rows={8}
                value={body}
                note="As JSON. It begins with the fields that are needed."
                fault={bodyFault(body, error)}
                onInput={setBody}
              />
              <BodyFields schema={operation.body} api={api} />
            </>
          )}
          {operation.hasMeta && <MetaFunctions chosen={meta} onChange={setMeta} />}
          <div class="buttons">
            <Action
              operation={target === undefined ? operation.id : 'tokens_create_integration_token'}
              kind="primary"
              type="submit"
              isBusy={isBusy}
            >
              Send
            </Action>
          </div>
        </form>
      </section>
      {isAsked && (
        <Confirm
          title="Send it to a customer in production?"
          operation="tokens_create_integration_token"
          action="Send"
          work={async () => void send()}
          onClose={() => setAsked(undefined)}
        >
          <p>
            <code>
              {operation.method} {operation.path}
            </code>{' '}
            changes something in the customer’s own system.
          </p>
        </Confirm>
      )}
      <Command operation={operation} target={target} input={input} />
      <section class="card" aria-labelledby="answer">
        <h2 id="answer">Answer</h2>
        {since !== undefined && (
          <Waiting since={since} onCancel={cancel}>
            Waiting for the answer …
          </Waiting>
        )}
        {error && <ProblemBox error={error} />}
        {sent && <Answer answer={sent.response} onNext={(cursor) => void send(cursor)} />}
        {isCancelled && <p class="note">Cancelled before there was an answer.</p>}
        {!error && !sent && !isCancelled && since === undefined && (
          <p class="empty">Nothing was sent yet.</p>
        )}
      </section>
      {sent && target && !isWrite && (
        <SecondSystem
          key={sent.response.requestId}
          operation={operation}
          api={api}
          target={target}
          sent={sent}
        />
      )}
    </div>
  );
}

async function sendBy(
  { id }: Declared,
  target: Target | undefined,
  input: Input,
  signal: AbortSignal,
): Promise<Response> {
  if (target === undefined) return await sendForText(id, input, session.peek()?.token, signal);
  return await sendThrough(target.path, id, input, signal);
}

/** Fields that a body may contain, from the contract. */
function BodyFields({ schema, api: { resolve } }: { schema: Schema; api: ApiDocument }) {
  const { properties = {}, required = [] } = plain(schema, resolve);
  const all = Object.entries(properties);
  if (all.length === 0) return null;
  return (
    <details>
      <summary>{all.length === 1 ? 'Its field' : `Its ${all.length} fields`}</summary>
      <ul class="bullets">
        {all.map(([name, one]) => {
          const { type, enum: values, description } = plain(one, resolve);
          const kind = values?.map(String).join(', ') ?? [type ?? 'object'].flat().join(' or ');
          return (
            <li key={name}>
              <code>{name}</code>
              {required.includes(name) && <strong> needed</strong>} <small>{kind}</small>{' '}
              {description}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

const metaFunctions: Record<string, string> = {
  'api/response(primary)': 'With the provider’s own answer',
  'mapping/chains([*])': 'With the mappings that ran',
  'mapping/trace(3)': 'With three records on their way through the mappings',
};

interface MetaProps {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function MetaFunctions({ chosen, onChange }: MetaProps) {
  return (
    <fieldset>
      <legend>Beside the result</legend>
      <CheckBoxes choices={Object.entries(metaFunctions)} chosen={chosen} onChange={onChange} />
    </fieldset>
  );
}
