import { useRead } from '../../api/query.js';
import { countInWords } from '../../parts/count-in-words.js';
import { ofEnvironment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { State, stateOf, states } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { nameOf, pageOf, type Status } from '../../parts/integration-names.js';

const pollMs = 15_000;
const maxListed = 6;
const wrong = Object.keys(states).filter((name) => ['bad', 'warn'].includes(stateOf(name).tone));

/** The integrations that somebody has to act on, as the service finds them among all. */
export function Attention() {
  const query = {
    expand: 'all',
    limit: maxListed,
    total: 'true',
    // The newest of those that are equally bad come first, as there may be more than are listed.
    order: ['urgency', 'updated_at[desc]'],
    filter: [`status[in]${wrong.join(',')}`, ...ofEnvironment()],
  };
  const read = useRead('status_list', { query }, pollMs);
  return (
    <section class="card" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {read.error !== null && read.data === undefined ? (
        <p class="empty">It is not known while the states cannot be read.</p>
      ) : (
        <Loaded of={read}>
          {({ result, total, total_is_minimum }) => (
            <List
              statuses={result}
              more={countInWords({
                total: (total ?? result.length) - result.length,
                ...(total_is_minimum && { total_is_minimum }),
              })}
            />
          )}
        </Loaded>
      )}
    </section>
  );
}

function List({ statuses, more }: { statuses: readonly Status[]; more: string | undefined }) {
  if (statuses.length === 0)
    return (
      <p class="empty">Nothing. No provider refuses a call of an integration at the moment.</p>
    );
  return (
    <>
      <ul class="lines">
        {statuses.map((one) => (
          <li key={one.integration_id}>
            <Link to={pageOf(one)}>
              <bdi>{nameOf(one)}</bdi>
            </Link>
            <State name={one.status} />
            <small>
              <bdi>{one.account?.fullname ?? one.account_id}</bdi> · <Ago time={one.updated_at} />
            </small>
          </li>
        ))}
      </ul>
      {more !== '0' && <p class="hint">And {more} others: each state above leads to its list.</p>}
    </>
  );
}
