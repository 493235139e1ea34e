import type { ManagementSchemas } from '#contract';
import { useRead } from '../api/query.js';
import { Id } from '../parts/copy.js';
import { Loaded } from '../parts/loaded.js';
import { Pager, pageSize, usePages } from '../parts/pager.js';
import { Ago } from '../parts/time.js';

type Token = ManagementSchemas['RefreshToken'];

const kinds: Record<string, string> = {
  default: 'Token',
  logon: 'Session',
  adhoc: 'Short-lived',
};

export function TokensScreen() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const tokens = useRead('tokens_list', { query });
  return (
    <>
      <h1 tabIndex={-1}>Tokens</h1>
      <p class="lead">
        The tokens that belong to you. Their secrets were shown once, when they were created.
      </p>
      <Loaded of={tokens} lines={8}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty card">You have no tokens. A session of a logon is one, too.</p>
          ) : (
            <>
              <TokenTable tokens={result} />
              <Pager pages={pages} size={result.length} last={result.at(-1)?.name} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  return (
    <div class="wide card">
      <table>
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Kind</th>
            <th scope="col">For</th>
            <th scope="col">Permits</th>
            <th scope="col">Expires</th>
            <th scope="col">Secrets</th>
            <th scope="col">Id</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((one) => (
            <tr key={one.id}>
              <th scope="row" dir="auto">
                {one.fullname}
              </th>
              <td>{kinds[one.token_type]}</td>
              <td>{one.owner_type === 'organization' ? 'This organization' : 'An integration'}</td>
              <td>{permitted(one)}</td>
              <td>
                <Ago time={one.expires} />
              </td>
              <td>{one.secondary ? 'Primary and secondary' : 'Primary'}</td>
              <td>
                <Id value={one.id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function permitted({ owner_type, primary }: Token): string {
  if (owner_type === 'integration') return 'Calls of the integration';
  const { role_binding: roles, adhoc_role: own } = primary.access.permissions as {
    role_binding?: string[];
    adhoc_role?: { permission_set: string };
  };
  return own?.permission_set ?? (roles ?? []).join(', ');
}
