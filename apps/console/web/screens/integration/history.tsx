import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { sentence } from '../../parts/sentence.js';
import { State } from '../../parts/state.js';
import { Exact } from '../../parts/time.js';

const pollMs = 15_000;
const maxEvents = 10;

interface Props {
  path: { accountId: string; integrationId: string };
}

/** The last changes of the state, with the error of each. */
export function Events({ path }: Props) {
  const query = { order: 'created_at[desc]', limit: maxEvents };
  const events = useRead('status_list_events', { path: { ...path }, query }, pollMs);
  return (
    <>
      <h3>Last events</h3>
      <p>
        <Link to={`/requests?integration=${path.integrationId}`}>Its last calls</Link>
      </p>
      <Loaded of={events} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">The state has not changed yet.</p>
          ) : (
            <ol class="lines">
              {result.map((one) => (
                <li key={one.created_at}>
                  <State name={one.status} />
                  <small>
                    <Exact time={one.created_at} />
                  </small>
                  {one.error && <p>{sentence(one.error)}</p>}
                  {one.request_id && (
                    <Link
                      to={`/requests/${one.request_id}`}
                      aria-label={`The call of ${one.created_at}`}
                    >
                      The call
                    </Link>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </>
  );
}
