import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { mayCall } from '../../api/permissions.js';
import { cache, useRead } from '../../api/query.js';
import { go, place, setSearch } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Confirm } from '../../parts/confirm.js';
import { useAttempt } from '../../parts/attempt.js';
import { Id } from '../../parts/copy.js';
import { counted, maxCounted } from '../../parts/counted.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager, pageSize, usePages } from '../../parts/pager.js';
import { ProblemBox } from '../../parts/problem.js';
import { sentence } from '../../parts/sentence.js';
import { ChangeWebhook } from './change-webhook.js';
import { Deliveries } from '../../parts/deliveries.js';
import { Receiver } from './receiver.js';
import { ReplayRange } from './replay-range.js';
import { ReplaceWebhookSecret } from './webhook-secret.js';
import { type Webhook, WebhookState } from './webhooks.js';

const pollMs = 5_000;

/** A webhook with what was sent to it. */
export function WebhookScreen({ webhookId = '' }: Record<string, string>) {
  const read = useRead('organizationWebhooks_get', { path: { webhookId } }, pollMs);
  return (
    <>
      <p class="crumbs">
        <Link to="/webhooks">Webhooks</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {read.data?.result.fullname ?? 'Webhook'}
      </h1>
      <Loaded of={read} lines={3}>
        {({ result }) => <Head webhook={result} />}
      </Loaded>
      {read.data && <Sent webhookId={webhookId} />}
      {read.data && <Receiver />}
    </>
  );
}

function Head({ webhook }: { webhook: Webhook }) {
  const { run, isBusy, error } = useAttempt();
  const [said, setSaid] = useState('');
  const [isDeleting, setDeleting] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const [isRange, setRange] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const path = { webhookId: webhook.id };
  const work = (text: string, send: (signal: AbortSignal) => Promise<unknown>) =>
    void run(async (signal) => {
      setSaid('');
      await send(signal);
      for (const id of ['organizationWebhooks_get', 'organizationWebhooks_list_deliveries'])
        void cache.invalidateQueries({ queryKey: [id] });
      setSaid(text);
      announce(text);
    });
  const isStopped = webhook.state === 'paused' || webhook.state === 'disabled';
  const resumed = [{ op: 'replace', path: '/state', value: 'active' }];
  const paused = [{ op: 'replace', path: '/state', value: 'paused' }];
  return (
    <section class="card stack" aria-label="State">
      <p class="headline">
        <WebhookState webhook={webhook} />
      </p>
      {webhook.state_reason && <p>{sentence(webhook.state_reason)}</p>}
      <p>
        {webhook.filters.includes('all') ? 'All events' : webhook.filters.join(', ')} of accounts in{' '}
        <strong>{webhook.environment}</strong>, to <code>{webhook.url}</code> ·{' '}
        <Id value={webhook.id} />
      </p>
      <p class="changes">
        {isStopped ? (
          <Action
            operation="organizationWebhooks_patch"
            kind="primary"
            isBusy={isBusy}
            onClick={() =>
              work('Resumed; what waited and what failed meanwhile is sent now', async (signal) => {
                await call('organizationWebhooks_patch', { path, body: resumed }, signal);
                if (webhook.state_since && mayCall('organizationWebhooks_replay_deliveries'))
                  await call(
                    'organizationWebhooks_replay_deliveries',
                    { path, body: { from: webhook.state_since, to: new Date().toISOString() } },
                    signal,
                  );
              })
            }
          >
            Resume and send again
          </Action>
        ) : (
          <Action
            operation="organizationWebhooks_test"
            kind="primary"
            isBusy={isBusy}
            onClick={() =>
              work('The test is sent', (signal) =>
                call('organizationWebhooks_test', { path }, signal),
              )
            }
          >
            Send a test
          </Action>
        )}
        {!isStopped && (
          <Action
            operation="organizationWebhooks_patch"
            isBusy={isBusy}
            onClick={() =>
              work('Paused; what happens from now on waits for three days', async (signal) => {
                await call('organizationWebhooks_patch', { path, body: paused }, signal);
              })
            }
          >
            Pause
          </Action>
        )}
        <Action operation="organizationWebhooks_replay_deliveries" onClick={() => setRange(true)}>
          Send deliveries again
        </Action>
        <Action operation="organizationWebhooks_patch" onClick={() => setChanging(true)}>
          Change
        </Action>
        <Action operation="credentials_patch" onClick={() => setReplacing(true)}>
          Replace secret
        </Action>
        <Action operation="organizationWebhooks_delete" onClick={() => setDeleting(true)}>
          Delete
        </Action>
      </p>
      <p role="status">{said}</p>
      {error && <ProblemBox error={error} />}
      {isRange && (
        <ReplayRange
          webhookId={webhook.id}
          onClose={() => setRange(false)}
          onReplayed={(text) => work(text, async () => undefined)}
        />
      )}
      {isChanging && <ChangeWebhook webhook={webhook} onClose={() => setChanging(false)} />}
      {isReplacing && (
        <ReplaceWebhookSecret webhook={webhook} onClose={() => setReplacing(false)} />
      )}
      {isDeleting && <DeleteWebhook webhook={webhook} onClose={() => setDeleting(false)} />}
    </section>
  );
}

function Sent({ webhookId }: { webhookId: string }) {
  const status = place.value.search.get('status') ?? '';
  const pages = usePages();
  const query = {
    limit: pageSize,
    filter: status === '' ? undefined : `status[eq]${status}`,
    start_after: pages.startAfter,
  };
  const input = { path: { webhookId }, query };
  const deliveries = useRead('organizationWebhooks_list_deliveries', input, pollMs);
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="toolbar">
        <label>
          Status
          <select
            value={status}
            onChange={(event) => setSearch({ status: event.currentTarget.value, after: '' })}
          >
            <option value="">All</option>
            <option value="waiting">Waiting</option>
            <option value="delivered">Delivered</option>
            <option value="failed">Failed</option>
          </select>
        </label>
      </div>
      <Loaded of={deliveries} lines={5}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">
              {status === ''
                ? 'No delivery is kept. “Send a test” tries the receiver.'
                : 'No delivery has this status.'}
            </p>
          ) : (
            <>
              <Deliveries
                deliveries={result}
                replay={{
                  operation: 'organizationWebhooks_replay_deliveries',
                  path: { webhookId },
                  listedBy: 'organizationWebhooks_list_deliveries',
                }}
              />
              <Pager pages={pages} size={result.length} last={result.at(-1)?.id} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** Says in words how many deliveries a deletion drops. */
function waitingIn(count: number | undefined): string {
  if (count === undefined) return 'deliveries that wait are';
  return `${counted(count, 'delivery that waits is', 'deliveries that wait are')}`;
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const waiting = useRead('organizationWebhooks_list_deliveries', {
    path: { webhookId: webhook.id },
    query: { limit: maxCounted, filter: 'status[eq]waiting' },
  }).data?.result.length;
  const remove = async (signal: AbortSignal) => {
    await call('organizationWebhooks_delete', { path: { webhookId: webhook.id } }, signal);
    void cache.invalidateQueries({ queryKey: ['organizationWebhooks_list'] });
    announce(`${webhook.fullname} is deleted`);
    go('/webhooks');
  };
  return (
    <Confirm
      title={`Delete ${webhook.fullname}?`}
      operation="organizationWebhooks_delete"
      action="Delete webhook"
      work={remove}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to its address: {waitingIn(waiting)} dropped, and the list of its
        deliveries is deleted. This cannot be undone; “Pause” can.
      </p>
    </Confirm>
  );
}
