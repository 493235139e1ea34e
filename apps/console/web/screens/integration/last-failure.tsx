import type { Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Ending } from '../../parts/ending.js';
import { Operation } from '../../parts/in-words.js';
import { Link } from '../../parts/link.js';
import { Ago } from '../../parts/time.js';
import { Message } from '../../parts/message.js';

type RequestRecord = Result<'requests_get'>['result'];

const pollMs = 15_000;
const maxAnswer = 2_000;
/** Stands for no answer at all, which is a failure too. */
const maxStatus = 599;

interface Props {
  path: { accountId: string; integrationId: string };
}

/** The last call that failed, with what the provider said; nothing where the log has none, or the token does not show it. */
export function LastFailure({ path }: Props) {
  const isShown = mayCall('requests_list');
  const filter = [`integration_id[eq]${path.integrationId}`, 'status[gte]400'];
  const failed = useRead('requests_list', { query: { limit: 1, filter } }, pollMs, isShown);
  const found = failed.data?.result[0];
  // Only the record of one call has the bodies, where they are recorded.
  const id = found?.id ?? '';
  const isRead = id !== '' && mayCall('requests_get');
  const whole = useRead('requests_get', { path: { requestId: id } }, undefined, isRead);
  if (found === undefined) return null;
  return <Failure request={whole.data?.result.id === id ? whole.data.result : found} />;
}

function Failure({ request }: { request: RequestRecord }) {
  const { problem, exchanges, bodies } = request;
  const exchange = exchanges.findLast(({ status }) => (status ?? maxStatus) >= 400);
  const answer = bodies?.exchanges.findLast(({ status }) => (status ?? 0) >= 400)?.response?.text;
  return (
    <section class="last-failure" aria-labelledby="last-failure">
      <h3 id="last-failure">Last failure</h3>
      <p>
        <Ending status={request.status} />{' '}
        <small>
          <Ago time={request.created_at} />
        </small>
      </p>
      <p>
        <Operation id={request.operation} />
      </p>
      <blockquote dir="auto">
        {problem?.message ? (
          <Message text={problem.message} />
        ) : (
          'The message is not kept, because it may quote what was sent.'
        )}
      </blockquote>
      {exchange && (
        <p>
          {(exchange.status ?? null) === null
            ? 'The provider did not answer'
            : `The provider answered ${exchange.status} to`}{' '}
          <code>
            {exchange.method} {exchange.host}
            {exchange.path}
          </code>
        </p>
      )}
      {answer && (
        <pre role="group" tabIndex={0} aria-label="Answer of the provider">
          {answer.slice(0, maxAnswer)}
        </pre>
      )}
      <p>
        <Link to={`/requests/${request.id}`}>The whole call</Link>
      </p>
    </section>
  );
}
