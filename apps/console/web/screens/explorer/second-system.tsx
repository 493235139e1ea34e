import { useMemo, useState } from 'preact/hooks';
import type { Response } from '../../api/client.js';
import type { Input } from '../../api/operations.js';
import { useRead } from '../../api/query.js';
import { plain } from '../../forms/schema.js';
import { faultsIn, textsOf, type Values } from '../../forms/values.js';
import { place, setSearch } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemBox } from '../../parts/problem.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { Waiting } from '../../parts/waiting.js';
import { type Integration, IntegrationChoice } from '../../parts/integration-choice.js';
import { recordOf } from '../../parts/mappings/record-fields.js';
import { Outcome, Text } from './answer.js';
import type { ApiDocument, Declared } from '../../api/api-documents.js';
import { Difference } from './difference.js';
import { sendThrough } from '../../api/integration-token.js';
import { inputOf, parameterFields } from './request-input.js';
import type { Target } from './target.js';

/** A request that was sent, and what came back. */
export interface Sent {
  /** Without the cursor of a page: cursors belong to one system. */
  input: Input;
  response: Response;
}

interface Props {
  operation: Declared;
  api: ApiDocument;
  target: Target;
  sent: Sent;
}

/** Sends the same request through another integration of the domain, and compares the answers field by field. */
export function SecondSystem(props: Props) {
  const { path, domain } = props.target;
  const filter = [`category[eq]${domain}`];
  // The one that is asked first may be one of them.
  const some = useRead('integrations_list', { query: { limit: 2, filter } });
  return (
    <div class="second">
      <Loaded of={some} lines={2}>
        {({ result }) =>
          result.every(({ id }) => id === path.integrationId) ? (
            <None target={props.target} />
          ) : (
            <Choose filter={filter} {...props} />
          )
        }
      </Loaded>
    </div>
  );
}

function None({ target: { path, domain } }: { target: Target }) {
  const search = new URLSearchParams({ account: path.accountId, domain });
  return (
    <p class="empty">
      This is the only integration of its domain.{' '}
      <Link to={`/integrations/new?${search.toString()}`}>Connect a second one</Link>, and compare
      what both answer.
    </p>
  );
}

function Choose({ filter, ...props }: Props & { filter: readonly string[] }) {
  const chosen = place.value.search.get('second') ?? '';
  const query = { limit: 1, expand: 'account', filter: [...filter, `id[eq]${chosen}`] };
  const second = useRead('integrations_list', { query }, undefined, chosen !== '').data?.result[0];
  return (
    <>
      <div class="toolbar">
        <IntegrationChoice
          label="Second integration"
          chosen={chosen}
          filter={filter}
          without={({ id }) => id === props.target.path.integrationId}
          onChoose={(id) => setSearch({ second: id })}
        />
      </div>
      {second && <Send key={second.id} second={second} {...props} />}
    </>
  );
}

function Send({ second, operation, api, target, sent }: Props & { second: Integration }) {
  const fields = parameterFields(operation, api, new Set());
  const [values, setValues] = useState<Values>(() => textsOf(fields.path, sent.input.path ?? {}));
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const [answer, setAnswer] = useState<Response>();
  const { run, cancel, since, error, isBusy, isCancelled } = useAttempt();
  const order = useMemo(() => fieldsOf(operation, api), [operation, api]);
  const { fullname } = second;
  const send = () =>
    run(async (signal) => {
      const found = faultsIn(fields.path, values);
      setMissing(found);
      if (found.size > 0) return;
      setAnswer(undefined);
      const more = { body: '', filter: [], meta: [] };
      const { path } = inputOf({ path: fields.path, query: [] }, values, more);
      const received = await sendThrough(
        { accountId: second.account_id, integrationId: second.id },
        operation.id,
        { ...sent.input, ...(path === undefined ? {} : { path }) },
        signal,
      );
      setAnswer(received);
      announce(`The answer of ${fullname} is there, with status ${received.status}`);
    });
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {fields.path.length > 0 && (
          <>
            <p class="hint">An id is of one system: take one of {fullname}.</p>
            <SchemaForm
              fields={fields.path}
              values={values}
              faults={missing}
              onChange={(pointer, value) => setValues((one) => ({ ...one, [pointer]: value }))}
            />
          </>
        )}
        <div class="buttons start">
          <Action operation="tokens_create_integration_token" type="submit" isBusy={isBusy}>
            {answer || error ? 'Send it again' : 'Send it there too'}
          </Action>
        </div>
      </form>
      {since !== undefined && (
        <Waiting since={since} onCancel={cancel}>
          {`Waiting for ${fullname} …`}
        </Waiting>
      )}
      {isCancelled && <p class="note">Cancelled before {fullname} had answered.</p>}
      {error && (
        <>
          <p>{fullname} has no answer to compare with:</p>
          <ProblemBox error={error} />
        </>
      )}
      {answer && (
        <>
          <Outcome answer={answer} />
          <Difference
            key={answer.requestId}
            sides={[
              { name: target.name, text: sent.response.text },
              { name: fullname, text: answer.text },
            ]}
            order={order}
          />
          <details>
            <summary>The whole answer of {fullname}</summary>
            <Text text={answer.text} name={`Answer of ${fullname}`} />
          </details>
        </>
      )}
    </>
  );
}

/** Names of the fields of a record, in the order of the contract. */
function fieldsOf({ response }: Declared, { resolve }: ApiDocument): readonly string[] {
  const record = response && recordOf(response, resolve);
  return record === undefined ? [] : Object.keys(plain(record, resolve).properties ?? {});
}
