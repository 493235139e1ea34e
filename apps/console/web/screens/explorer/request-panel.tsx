import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiDocument, type Declared, skeletonOf } from '../../api/api-documents.js';
import { faultsIn, type Values } from '../../forms/values.js';
import { Action } from '../../parts/action.js';
import { Confirm } from '../../parts/confirm.js';
import type { Integration } from '../../parts/integration-choice.js';
import { ProblemBox } from '../../parts/problem.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { TextArea } from '../../parts/text-area.js';
import { Waiting } from '../../parts/waiting.js';
import { Answer } from './answer.js';
import { BodyFields } from './body-fields.js';
import { Command } from './command.js';
import { Comparison } from './comparison.js';
import { type FilterRow, Filters, filterTextsOf } from './filters.js';
import { MetaFunctions } from './meta-functions.js';
import { bodyFault, inputOf, parameterFaults, parameterFields, pathOf } from './request-input.js';
import { isWrite } from './is-write.js';
import { SaveRequest } from './save-request.js';
import type { Typed } from './saved-requests.js';
import type { Target } from './target.js';
import { useSending } from './use-sending.js';

interface Props {
  operation: Declared;
  api: ApiDocument;
  /** Undefined for the management API. */
  target: Target | undefined;
  /** Whether the request goes to a second system too, and which one, once somebody has chosen it. */
  comparison: { second: Integration | undefined } | undefined;
  /** The saved request that the form begins with. */
  saved: Typed | undefined;
}

/** The request of an operation: its form, its command, and the answer of one system or of two beside it. */
export function RequestPanel({ operation, api, target, comparison, saved }: Props) {
  const { offered } = target ?? {};
  const second = comparison?.second;
  const filters = offered?.filters ?? [];
  const special = new Set(['meta', ...(filters.length > 0 ? ['filter'] : [])]);
  const fields = parameterFields(operation, api, special);
  const [values, setValues] = useState<Values>(saved?.values ?? {});
  /** Ids are of one system: the second one has its own. */
  const [theirs, setTheirs] = useState<Values>({});
  const [rows, setRows] = useState<readonly FilterRow[]>(saved?.rows ?? []);
  const [meta, setMeta] = useState<readonly string[]>(saved?.meta ?? []);
  const [body, setBody] = useState(() => (saved?.body ?? '') || firstBody(operation, api));
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [theirMissing, setTheirMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const one = useSending(operation, target?.path, comparison && target?.name);
  const other = useSending(
    operation,
    second && { accountId: second.account_id, integrationId: second.id },
    second?.fullname,
  );
  const form = useRef<HTMLFormElement>(null);
  const answer = useRef<HTMLElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isAskedFirst = isWrite(operation) && target?.environment === 'prod';
  const faults = new Map([...parameterFaults(one.error), ...missing]);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [one.error, missing, theirMissing]);
  useEffect(() => {
    // Below the form on a narrow screen, nobody would see that it is there.
    const { top } = answer.current?.getBoundingClientRect() ?? { top: 0 };
    if ((one.response ?? one.error) && top > innerHeight / 2)
      answer.current?.scrollIntoView({ block: 'start' });
  }, [one.response, one.error]);
  const input = inputOf(fields, values, {
    body,
    meta: comparison ? [] : meta,
    filter: filterTextsOf(rows),
  });
  const send = (cursor?: string) => {
    setAsked(false);
    const found = faultsIn([...fields.path, ...fields.query], values);
    const foundTheirs = second ? faultsIn(fields.path, theirs) : new Map<string, string>();
    setMissing(found);
    setTheirMissing(foundTheirs);
    if (found.size + foundTheirs.size > 0 || bodyFault(body, undefined) !== undefined) return;
    void one.send(cursor === undefined ? input : { ...input, query: { ...input.query, cursor } });
    if (second) void other.send({ ...input, path: pathOf(fields, theirs) });
  };
  const isIdle = (comparison ? [one, other] : [one]).every(
    ({ error, response, isCancelled, isBusy }) => !error && !response && !isCancelled && !isBusy,
  );
  return (
    <div class="request">
      <div class="ask">
        <section class="card" aria-labelledby="request">
          <form
            ref={form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (isAskedFirst) setAsked(true);
              else send();
            }}
          >
            <div class="title">
              <h2 id="request">{operation.summary}</h2>
              <Action
                operation={target === undefined ? operation.id : 'tokens_create_integration_token'}
                kind="primary"
                type="submit"
                isBusy={one.isBusy || other.isBusy}
              >
                {second ? 'Send to both' : 'Send'}
              </Action>
            </div>
            <About operation={operation} target={target} />
            <SchemaForm
              fields={[...fields.path, ...fields.query]}
              values={values}
              faults={faults}
              onChange={(pointer, value) => setValues((all) => ({ ...all, [pointer]: value }))}
            />
            {second && fields.path.length > 0 && (
              <fieldset>
                <legend>For {second.fullname}</legend>
                <p class="hint">An id is of one system: take one of this one.</p>
                <SchemaForm
                  fields={fields.path}
                  values={theirs}
                  faults={theirMissing}
                  onChange={(pointer, value) => setTheirs((all) => ({ ...all, [pointer]: value }))}
                />
              </fieldset>
            )}
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
                  fault={bodyFault(body, one.error)}
                  onInput={setBody}
                />
                <BodyFields schema={operation.body} api={api} />
              </>
            )}
            {operation.hasMeta && !comparison && <MetaFunctions chosen={meta} onChange={setMeta} />}
          </form>
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
      {isAsked && (
        <Confirm
          title="Send it to a customer in production?"
          operation="tokens_create_integration_token"
          action="Send"
          work={async () => send()}
          onClose={() => setAsked(false)}
        >
          <p>
            <code>
              {operation.method} {operation.path}
            </code>{' '}
            changes something in the customer’s own system.
          </p>
        </Confirm>
      )}
      <section ref={answer} class="card answered" aria-labelledby="answer">
        <h2 id="answer">{comparison ? 'Comparison' : 'Answer'}</h2>
        {comparison && target ? (
          <Comparison
            operation={operation}
            api={api}
            sides={[
              { name: target.name, sending: one },
              { name: second?.fullname ?? '', sending: other },
            ]}
          />
        ) : (
          <>
            {one.since !== undefined && (
              <Waiting since={one.since} onCancel={one.cancel}>
                Waiting for the answer …
              </Waiting>
            )}
            {one.error && <ProblemBox error={one.error} />}
            {one.response && <Answer answer={one.response} onNext={send} />}
            {one.isCancelled && <p class="note">Cancelled before there was an answer.</p>}
          </>
        )}
        {isIdle && (
          <p class="empty">
            {comparison && !second
              ? 'Choose the second integration above. What both answer is compared here, field by field.'
              : 'Nothing was sent yet.'}
          </p>
        )}
      </section>
    </div>
  );
}

/** Method and path of the operation, and what the provider says of it. */
function About({ operation: { method, path }, target }: Pick<Props, 'operation' | 'target'>) {
  const { offered } = target ?? {};
  return (
    <>
      <p class="hint">
        <code>
          {method} {path}
        </code>
        {offered?.needs && ` · needs at the provider: ${offered.needs}`}
      </p>
      {offered?.supported === false && (
        <p class="note">The provider does not support this operation; it will answer so.</p>
      )}
    </>
  );
}

function firstBody({ body, isBodyRequired }: Declared, { resolve }: ApiDocument): string {
  return body && isBodyRequired ? JSON.stringify(skeletonOf(body, resolve), null, 2) : '';
}
