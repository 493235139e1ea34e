import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { useRead } from '../../api/query.js';
import { RecordList } from '../../parts/record-list.js';
import { Action } from '../../parts/action.js';
import { Environment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Toned } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { CreateWebhook } from './create-webhook.js';
import { useAsked } from '../../parts/use-asked.js';

export type Webhook = ManagementSchemas['OrganizationWebhook'];

/** Addresses that are told of changes. */
export function WebhooksScreen() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const webhooks = useRead('organizationWebhooks_list', { query });
  const [isCreating, setCreating] = useState(false);
  useAsked(() => setCreating(true));
  return (
    <>
      <h1 tabIndex={-1}>Webhooks</h1>
      <div class="toolbar">
        <p class="lead">Onefold tells your systems what has changed, and tries again for days.</p>
        <Action
          operation="organizationWebhooks_create"
          kind="primary"
          onClick={() => setCreating(true)}
        >
          New webhook
        </Action>
      </div>
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
      <RecordList
        of={webhooks}
        lines={4}
        columns={['Webhook', 'State', 'Events', 'Environment', 'Address']}
        empty="There are no webhooks yet. Create one with your address."
        pages={pages}
        cursor={({ name }) => name}
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <Link to={`/webhooks/${one.id}`}>
                <bdi>{one.fullname}</bdi>
              </Link>
            </th>
            <td>
              <WebhookState webhook={one} />
            </td>
            <td>{one.filters.join(', ')}</td>
            <td>
              <Environment name={one.environment} />
            </td>
            <td>
              <code>{one.url}</code>
            </td>
          </tr>
        )}
      </RecordList>
    </>
  );
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { state, state_since: since, failing_since: failing } = webhook;
  if (state === 'paused' || state === 'disabled')
    return (
      <>
        <Toned tone="bad">{state === 'paused' ? 'Paused' : 'Disabled'}</Toned>{' '}
        {since && (
          <small>
            since <Ago time={since} />
          </small>
        )}
      </>
    );
  if (failing)
    return (
      <>
        <Toned tone="warn">Failing</Toned>{' '}
        <small>
          since <Ago time={failing} />
        </small>
      </>
    );
  return <Toned tone="good">Active</Toned>;
}
