import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { mayCallUnasked } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { ofEnvironment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Ago } from '../../parts/time.js';

const dayMs = 86_400_000;
const days = 14;
const maxListed = 6;

/** Credentials that have expired or will soon, whoever owns them, the first one first. */
export function EndingCredentials() {
  const [until] = useState(() => new Date(Date.now() + days * dayMs).toISOString());
  const query = {
    limit: maxListed + 1,
    order: 'expires',
    filter: [`expires[lt]${until}`, ...ofEnvironment()],
  };
  const isPermitted = mayCallUnasked('credentials_list_all');
  const credentials = useRead('credentials_list_all', { query }, undefined, isPermitted);
  if (!isPermitted) return null;
  return (
    <section class="card" aria-labelledby="ending-credentials">
      <h2 id="ending-credentials">Credentials that expire within {days} days</h2>
      <Loaded of={credentials} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">None of those whose end is known.</p>
          ) : (
            <>
              <ul class="lines">
                {result.slice(0, maxListed).map((one) => (
                  <li key={one.id}>
                    <Owner credential={one} />
                    <small>
                      {one.expires && (
                        <>
                          {Date.parse(one.expires) < Date.now() ? 'expired' : 'expires'}{' '}
                          <Ago time={one.expires} />
                        </>
                      )}
                    </small>
                  </li>
                ))}
              </ul>
              {result.length > maxListed && <p class="hint">And more.</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** Leads to where the secret is replaced. */
function Owner({ credential }: { credential: ManagementSchemas['CredentialResponse'] }) {
  const { fullname, account_id: account, integration_id: integration } = credential;
  const point = credential.integration_point_id;
  const webhook = credential.organization_webhook_id;
  const to = integration
    ? `/integrations/${account}/${integration}`
    : account
      ? `/accounts/${account}`
      : point
        ? `/points/${point}`
        : `/webhooks/${webhook}`;
  return (
    <Link to={to}>
      <bdi>{fullname}</bdi>
    </Link>
  );
}
