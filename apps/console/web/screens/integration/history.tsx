import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { useRead } from '../../api/query.js';
import { environmentName } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { State } from '../../parts/state.js';
import { duration, Exact } from '../../parts/time.js';
import { Message } from '../../parts/message.js';

const pollMs = 15_000;
const pageSize = 10;

interface Props {
  path: { accountId: string; integrationId: string };
}

/** The states that the integration had, the newest first, with the error of each and how long it lasted. */
export function History({ path }: Props) {
  const [count, setCount] = useState(pageSize);
  // One more says whether there are older ones.
  const query = { order: 'created_at[desc]', limit: count + 1 };
  const events = useRead('status_list_events', { path: { ...path }, query }, pollMs);
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">History of its state</h2>
      <Loaded of={events} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">The state has not changed yet.</p>
          ) : (
            <>
              <ol class="lines">
                {result.slice(0, count).map((one, index) => (
                  <Event key={one.created_at} event={one} until={result[index - 1]?.created_at} />
                ))}
              </ol>
              {result.length > count && (
                <p class="buttons start">
                  <button type="button" onClick={() => setCount(count + 5 * pageSize)}>
                    Show older ones
                  </button>
                </p>
              )}
            </>
          )
        }
      </Loaded>
      <p class="hint">
        Changes of the last 30 days, a thousand at most. A{' '}
        <Link to="/webhooks">webhook of the organization</Link> gets each as the event{' '}
        <code>integration_status</code>. <MailNote />
      </p>
    </section>
  );
}

/** Says who gets a mail about changes, or why nobody does. */
function MailNote() {
  const { data } = useRead('organization_get');
  if (data === undefined) return null;
  const { alarm_mail_from: from, options } = data.result;
  const { addresses, environments } = options?.alarm_mails ?? {};
  const settings = <Link to="/settings">settings</Link>;
  if (!addresses?.length)
    return (
      <>
        Nobody gets a mail: the {settings} have no addresses for alarms
        {from === undefined && ', and this service has no mail server'}.
      </>
    );
  const names = addresses.join(', ');
  if (from === undefined)
    return (
      <>
        {names} would get a mail, as the {settings} say, but this service has no mail server.
      </>
    );
  return (
    <>
      {names} {addresses.length === 1 ? 'gets' : 'get'} a mail, as the {settings} say
      {environments && `, for accounts in ${environments.map(environmentName).join(' and ')}`}.
    </>
  );
}

interface EventProps {
  event: ManagementSchemas['StatusEvent'];
  /** The time of the change after it; undefined of the state that the integration is in. */
  until: string | undefined;
}

function Event({ event, until }: EventProps) {
  return (
    <li>
      <State name={event.status} />
      <small>
        <Exact time={event.created_at} />
        {until && `, for ${duration(event.created_at, until)}`}
      </small>
      {event.error && (
        <p>
          <Message text={event.error} />
        </p>
      )}
      {event.request_id && (
        <Link to={`/requests/${event.request_id}`} aria-label={`The call of ${event.created_at}`}>
          The call
        </Link>
      )}
    </li>
  );
}
