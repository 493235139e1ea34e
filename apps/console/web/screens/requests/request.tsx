import { Operation } from '../../parts/in-words.js';
import type { ComponentChildren } from 'preact';
import { RequestError } from '../../api/client.js';
import { useRead } from '../../api/query.js';
import type { Parameters } from '../../route.js';
import { Copy } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { bytes, seconds } from '../../parts/numbers.js';
import { operationName } from '../../parts/operation-name.js';
import { Permitted } from '../../parts/permitted.js';
import { Ago, Exact } from '../../parts/time.js';
import { useNamesOf } from '../../parts/record-names.js';
import { Bodies } from './bodies.js';
import { Ending } from '../../parts/ending.js';
import { Exchanges } from './exchanges.js';
import type { RequestRecord } from './request-record.js';
import { nameOfMapping } from '../../parts/mappings/chains.js';
import { Message } from '../../parts/message.js';

/** One call: what became of it, what the provider was asked for it, and what it said. */
export function RequestScreen({ requestId = '' }: Parameters) {
  return (
    <>
      <p class="crumbs">
        <Link to="/requests">Requests</Link>
      </p>
      <Permitted operation="requests_get" what="the request log">
        <OfRequest requestId={requestId} />
      </Permitted>
    </>
  );
}

function OfRequest({ requestId }: { requestId: string }) {
  const read = useRead('requests_get', { path: { requestId } });
  const { error } = read;
  if (error instanceof RequestError && error.problem.status === 404)
    return <NotKept requestId={requestId} />;
  return (
    <>
      {read.data === undefined && <h1 tabIndex={-1}>Request</h1>}
      <Loaded of={read} lines={8}>
        {({ result }) => <Whole request={result} />}
      </Loaded>
    </>
  );
}

/** Where a request is whose record the log does not have. */
function NotKept({ requestId }: { requestId: string }) {
  return (
    <>
      <h1 tabIndex={-1}>The request log has no such call</h1>
      <div class="card" role="alert">
        <p>
          It keeps calls for some days only: those that failed, the last 50 of each integration, and
          some of the others. What the service refused before it asked a provider, and every call of
          the management API, is in the audit trail.
        </p>
        <p class="links">
          <Link to={`/audit?what=all&record=${encodeURIComponent(requestId)}`}>
            Find it in the audit trail
          </Link>
          <Link to="/requests">All calls</Link>
        </p>
      </div>
    </>
  );
}

function Whole({ request }: { request: RequestRecord }) {
  return (
    <>
      <h1 tabIndex={-1}>{operationName(request.operation)}</h1>
      <p class="changes">
        <Ending status={request.status} />
        <span>
          <Ago time={request.created_at} />, in {seconds(request.duration)}
        </span>
        {request.dry_run && <span class="badge">dry run</span>}
      </p>
      {request.problem && <Why request={request} problem={request.problem} />}
      <Facts request={request} />
      <Exchanges request={request} />
      <Bodies request={request} />
    </>
  );
}

interface WhyProps {
  request: RequestRecord;
  problem: NonNullable<RequestRecord['problem']>;
}

function Why({ request, problem }: WhyProps) {
  const address = `${request.account_id}/${request.integration_id}`;
  return (
    <section class="problem" aria-labelledby="why">
      <h2 id="why">Why it failed</h2>
      <p>
        {problem.message ? (
          <Message text={problem.message} />
        ) : (
          'The message is not kept, because it may quote what was sent: the kind of the problem and the statuses below tell what remains.'
        )}
      </p>
      <p class="foot">
        <code>{problem.type}</code>
      </p>
      <p class="links">
        <Link to={`/integrations/${address}`}>State of the integration</Link>
        <Link to={`/explorer?integration=${address}&operation=${request.operation}`}>
          Call it again in the explorer
        </Link>
      </p>
    </section>
  );
}

function Facts({ request }: { request: RequestRecord }) {
  const integration = useNamesOf('integrations_list', [request.integration_id])(
    request.integration_id,
  );
  const account = useNamesOf('accounts_list', [request.account_id])(request.account_id);
  const address = `${request.account_id}/${request.integration_id}`;
  const chain = request.mapping_chain.map(nameOfMapping);
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">The call</h2>
      <dl class="facts texts">
        <Fact name="Integration">
          <Link to={`/integrations/${address}`}>
            <bdi>{integration}</bdi>
          </Link>
        </Fact>
        <Fact name="Account">
          <Link to={`/accounts/${request.account_id}`}>
            <bdi>{account}</bdi>
          </Link>
        </Fact>
        <Fact name="Operation">
          <Operation id={request.operation} />
        </Fact>
        <Fact name="Mappings">
          {chain.length === 0 ? 'none' : <bdi>{chain.join(' → ')}</bdi>}{' '}
          <Link to={`/studio?integration=${address}&operation=${request.operation}`}>
            Open in the studio
          </Link>
        </Fact>
        <Fact name="Answered">
          <Exact time={request.created_at} />
        </Fact>
        <Fact name="Sent and answered">
          {bytes(request.in_bytes)}, {bytes(request.out_bytes)}
        </Fact>
        <Fact name="Id of the request">
          <code>{request.request_id}</code>{' '}
          <Copy text={request.request_id} name="id of the request" />
        </Fact>
        {request.token_id && (
          <Fact name="Token">
            <code>{request.token_id}</code>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
