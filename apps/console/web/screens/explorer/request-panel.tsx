import { useEffect, useRef, useState } from 'preact/hooks';
import { type Response, sendForText } from '../../api/client.js';
import type { Input } from '../../api/operations.js';
import { session } from '../../api/session.js';
import { faultsIn, type Values } from '../../forms/values.js';
import { place } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Confirm } from '../../parts/confirm.js';
import { ProblemBox } from '../../parts/problem.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { TextArea } from '../../parts/text-area.js';
import { Waiting } from '../../parts/waiting.js';
import { Answer } from './answer.js';
import { type ApiDocument, type Declared, skeletonOf } from '../../api/api-documents.js';
import { BodyFields } from './body-fields.js';
import { Command } from './command.js';
import { type FilterRow, Filters, filterTextsOf } from './filters.js';
import { sendThrough } from '../../api/integration-token.js';
import { MetaFunctions } from './meta-functions.js';
import { bodyFault, inputOf, parameterFaults, parameterFields } from './request-input.js';
import { SaveRequest } from './save-request.js';
import type { Typed } from './saved-requests.js';
import { SecondSystem, type Sent } from './second-system.js';
import type { Target } from './target.js';

/** Operations that read by a POST. */
const isSearch = /_(?:query|list|get|search)_/;

interface Props {
  operation: Declared;
  api: ApiDocument;
  /** Undefined for the management API. */
  target: Target | undefined;
  /** The saved request that the form begins with. */
  saved: Typed | undefined;
}

/** The request of an operation: its form, its command, and its answer. */
export function RequestPanel({ operation, api, target, saved }: Props) {
  const { offered } = target ?? {};
  const second = place.value.search.get('second') ?? '';
  const filters = offered?.filters ?? [];
  const special = new Set(['meta', ...(filters.length > 0 ? ['filter'] : [])]);
  const fields = parameterFields(operation, api, special);
  const [values, setValues] = useState<Values>(saved?.values ?? {});
  const [rows, setRows] = useState<readonly FilterRow[]>(saved?.rows ?? []);
  const [meta, setMeta] = useState<readonly string[]>(saved?.meta ?? []);
  const [body, setBody] = useState(() => (saved?.body ?? '') || firstBody(operation, api));
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [sent, setSent] = useState<Sent>();
  const { run, cancel, since, error, isBusy, isCancelled } = useAttempt();
  /** Whether the answer of one system is shown, or that of two beside each other; a link to a comparison names the second one. */
  const [shown, setShown] = useState<'one' | 'two'>(() => (second === '' ? 'one' : 'two'));
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
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isWrite && isProd) setAsked(true);
            else void send();
          }}
        >
          <div class="title">
            <div>
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
            </div>
            <Action
              operation={target === undefined ? operation.id : 'tokens_create_integration_token'}
              kind="primary"
              type="submit"
              isBusy={isBusy}
            >
              Send
            </Action>
          </div>
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
      <section class="card" aria-labelledby="answer">
        <div class="title">
          <h2 id="answer">Answer</h2>
          {sent && target && !isWrite && (
            <div class="switch" role="group" aria-label="Systems">
              {(['one', 'two'] as const).map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={shown === one}
                  onClick={() => setShown(one)}
                >
                  {one === 'one' ? 'This system' : 'Compare with a second system'}
                </button>
              ))}
            </div>
          )}
        </div>
        {since !== undefined && (
          <Waiting since={since} onCancel={cancel}>
            Waiting for the answer …
          </Waiting>
        )}
        {error && <ProblemBox error={error} />}
        {sent && (
          <div hidden={shown === 'two'}>
            <Answer answer={sent.response} onNext={(cursor) => void send(cursor)} />
          </div>
        )}
        {sent && target && !isWrite && shown === 'two' && (
          <SecondSystem
            key={sent.response.requestId}
            operation={operation}
            api={api}
            target={target}
            sent={sent}
          />
        )}
        {isCancelled && <p class="note">Cancelled before there was an answer.</p>}
        {!error && !sent && !isCancelled && since === undefined && (
          <p class="empty">Nothing was sent yet.</p>
        )}
      </section>
      <div class="card">
        <SaveRequest
          operation={operation.id}
          // A body of the management API may have secrets in it.
          typed={{ values, rows, meta, body: target === undefined ? '' : body }}
          note={operation.body && target === undefined ? 'Its body is not kept.' : ''}
        />
      </div>
      <Command operation={operation} target={target} input={input} />
    </div>
  );
}

function firstBody({ body, isBodyRequired }: Declared, { resolve }: ApiDocument): string {
  return body && isBodyRequired ? JSON.stringify(skeletonOf(body, resolve), null, 2) : '';
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
