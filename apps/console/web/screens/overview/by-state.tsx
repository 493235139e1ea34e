import { useRead } from '../../api/query.js';
import { countInWords } from '../../parts/count-in-words.js';
import { ofEnvironment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { ProblemBox } from '../../parts/problem.js';
import { State, stateOf, states } from '../../parts/state.js';

const pollMs = 30_000;

/** How many integrations are in each state, counted by the service: a page of the list would miss those after it. */
export function ByState() {
  const counts = Object.keys(states).map((name) => [name, useCount(name)] as const);
  const failed = counts.find(([, { error }]) => error !== null)?.[1];
  const retry = () => counts.forEach(([, { refetch }]) => void refetch());
  return (
    <>
      {failed?.error && <ProblemBox error={failed.error} onRetry={retry} />}
      <ul class="tiles" aria-busy={counts.some(([, { data }]) => data === undefined)}>
        {counts.map(([name, { data }]) => (
          <li key={name} class={data?.total ? stateOf(name).tone : 'zero'}>
            <Link to={`/integrations?state=${name}`}>
              <b>{countInWords(data ?? {}) ?? '…'}</b>
              <State name={name} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function useCount(state: string) {
  const filter = [`status[eq]${state}`, ...ofEnvironment()];
  return useRead('status_list', { query: { limit: 1, total: 'true', filter } }, pollMs);
}
