import { Environment } from '../parts/environment.js';
import { Link } from '../parts/link.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { nameOf, pageOf, type Status } from './integration-names.js';

interface Props {
  statuses: readonly Status[];
  /** Leaves the account out, where it is the same of all. */
  isOfOneAccount?: boolean;
}

/** Integrations with their state, each with a link to its page. */
export function StatusTable({ statuses, isOfOneAccount = false }: Props) {
  return (
    <Table
      columns={[
        'Integration',
        'State',
        'Provider',
        ...(isOfOneAccount ? [] : ['Account']),
        { number: 'Failed / requests' },
        'Last change',
      ]}
    >
      {statuses.map((one) => (
        <tr key={one.integration_id}>
          <th scope="row">
            <Link to={pageOf(one)}>
              <bdi>{nameOf(one)}</bdi>
            </Link>
          </th>
          <td>
            <State name={one.status} />
          </td>
          <td>{one.integration?.provider_fullname ?? one.integration?.provider_type}</td>
          {!isOfOneAccount && (
            <td>
              <bdi>{one.account?.fullname ?? one.account_id}</bdi>{' '}
              {one.account?.environment && <Environment name={one.account.environment} />}
            </td>
          )}
          <td class="number">
            {one.failed} / {one.requests}
          </td>
          <td>
            <Ago time={one.updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
