import type { ManagementSchemas, Result } from '#contract';
import { useRead } from '../../api/query.js';
import { Deliveries } from '../../parts/deliveries.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Permitted } from '../../parts/permitted.js';
import { sentence } from '../../parts/sentence.js';
import { Toned } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';

const pollMs = 15_000;
const maxDeliveries = 20;

interface Props {
  integration: Result<'integrations_get'>['result'];
}

/** The addresses that hear of changes at the provider, and what was sent to them. */
export function Webhooks({ integration }: Props) {
  const items = integration.webhook_config?.items ?? [];
  return (
    <div class="columns">
      <section class="card" aria-labelledby="webhooks">
        <h2 id="webhooks">Webhooks</h2>
        {items.length === 0 ? (
          <p class="empty">None of its own: nobody hears of changes at the provider.</p>
        ) : (
          <ul class="lines">
            {items.map(({ webhook_url: url, event_filter: events }) => (
              <li key={url}>
                <code>{url}</code>
                <small>{events?.join(', ') || 'all events of the provider'}</small>
              </li>
            ))}
          </ul>
        )}
        <p>
          Changes of the integration itself, and of its state, are sent to{' '}
          <Link to="/webhooks">webhooks of the organization</Link>.
        </p>
      </section>
      <section class="card" aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        <Permitted operation="integrations_list_deliveries" what="the deliveries">
          <Sent path={{ accountId: integration.account_id, integrationId: integration.id }} />
        </Permitted>
      </section>
    </div>
  );
}

function Sent({ path }: { path: { accountId: string; integrationId: string } }) {
  const input = { path: { ...path }, query: { limit: maxDeliveries } };
  const deliveries = useRead('integrations_list_deliveries', input, pollMs);
  return (
    <Loaded of={deliveries} lines={3}>
      {({ result, receivers }) => (
        <>
          <Stopped receivers={receivers} />
          {result.length === 0 ? (
            <p class="empty">Nothing was sent yet.</p>
          ) : (
            <Deliveries
              deliveries={result}
              replay={{
                operation: 'integrations_replay_deliveries',
                path,
                listedBy: 'integrations_list_deliveries',
              }}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

/** The addresses that nothing is sent to for now. */
function Stopped({ receivers }: { receivers: readonly ManagementSchemas['WebhookReceiver'][] }) {
  const stopped = receivers.filter(({ state }) => state !== 'active');
  if (stopped.length === 0) return null;
  return (
    <ul class="lines">
      {stopped.map((one) => (
        <li key={one.webhook_url}>
          <Toned tone={one.state === 'disabled' ? 'bad' : 'warn'}>
            {one.state === 'disabled' ? 'Disabled' : 'Paused'}
          </Toned>
          <code>{one.webhook_url}</code>
          {one.state_since && (
            <small>
              since <Ago time={one.state_since} />
            </small>
          )}
          {one.state_reason && <p>{sentence(one.state_reason)}</p>}
        </li>
      ))}
    </ul>
  );
}
