import { Missing } from '../../parts/action.js';
import { Link } from '../../parts/link.js';
import { State, states } from '../../parts/state.js';
import { mayCall } from '../../api/permissions.js';
import { type Read, useRead } from '../../api/query.js';

/** The most that a page of states may have. */
const maxStatuses = 1_000;

/** The states of the integrations of the accounts on a page, which one request reads. */
export function useStateCounts(accountIds: readonly string[]): Read<'status_list'> {
  const query = { limit: maxStatuses, filter: `account_id[in]${accountIds.join(',')}` };
  const isWanted = accountIds.length > 0 && mayCall('status_list');
  return useRead('status_list', { query }, undefined, isWanted);
}

interface Props {
  accountId: string;
  counts: Read<'status_list'>;
}

/** How many integrations of an account are in each state, the most urgent first. */
export function StateCounts({ accountId, counts: { data, error } }: Props) {
  if (!mayCall('status_list')) return <Missing operation="status_list" />;
  if (data === undefined) return <>{error === null ? '…' : 'not known'}</>;
  const isCut = data.result.length === maxStatuses;
  const own = data.result.filter((one) => one.account_id === accountId);
  if (own.length === 0) return <>{isCut ? 'many on this page: see its page' : 'none'}</>;
  return (
    <ul class="counts">
      {Object.keys(states).map((name) => {
        const count = own.filter(({ status }) => status === name).length;
        if (count === 0) return null;
        return (
          <li key={name}>
            <Link to={`/integrations?account=${accountId}&state=${name}`}>
              {isCut && 'at least '}
              {count} <State name={name} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
