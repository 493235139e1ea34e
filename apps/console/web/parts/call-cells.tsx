import type { Result } from '#contract';
import { Ending } from './ending.js';
import { Link } from './link.js';
import { operationName } from './operation-name.js';

/** The first cells of a row about a call of the request log: what was called, which leads to the call, and how it ended. */
export function CallCells({ call }: { call: Result<'requests_list'>['result'][number] }) {
  return (
    <>
      <th scope="row">
        <Link to={`/requests/${call.id}`} title={call.operation}>
          {operationName(call.operation)}
        </Link>
        {call.dry_run && <span class="badge">dry run</span>}
      </th>
      <td>
        <Ending status={call.status} />
      </td>
    </>
  );
}
