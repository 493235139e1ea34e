import { useEffect, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { Monogram } from '../parts/monogram.js';
import { Waiting } from '../parts/waiting.js';
import { Ended, EndedNote, Failure } from './failure.js';
import { Heading } from './heading.js';
import { tell } from './host.js';
import { Skeleton } from './notice.js';
import { call, isEnded, session } from './session.js';
import { useLoaded } from './use-loaded.js';
import { fill, seconds, words } from './words.js';

/** A second click that comes sooner was meant for what was there before. */
const minBetweenClicksMs = 500;

type Integration = Result<'integrations_get'>['result'];

interface Props {
  onRenew: () => void;
  onDeleted: (deleted: { integrationId: string; name: string; providerId: string }) => void;
}

const pathOf = () => {
  const { account_id: accountId = '', integration_id: integrationId } = session.peek() ?? {};
  return { accountId, integrationId: integrationId ?? '' };
};

/** The first step of a session that manages an integration: how it is, and what can be done with it. */
export function ManageStep(props: Props) {
  const read = useLoaded('integration', (signal) =>
    call('integrations_get', { path: pathOf() }, signal),
  );
  if (read.value) return <Manage integration={read.value.result} {...props} />;
  if (isEnded.value) return <Ended />;
  if (read.error) return <Failure error={read.error} provider="" onRetry={read.retry} />;
  return <Skeleton lines={6} />;
}

function Manage({ integration, onRenew, onDeleted }: Props & { integration: Integration }) {
  const [isAsked, setAsked] = useState(false);
  const { fullname: name, provider_fullname: provider, provider_type: providerId } = integration;
  const { manage, renew } = words.value;
  return (
    <>
      <div class="provider-head">
        <Monogram id={providerId} name={provider} />
        <div>
          <Heading>{name}</Heading>
          {provider !== name && <p dir="auto">{provider}</p>}
        </div>
      </div>
      <EndedNote isUnsure={false} />
      <Health provider={provider} />
      {!isAsked && (
        <p class="row">
          <button type="button" class="primary" aria-disabled={isEnded.value} onClick={onRenew}>
            {renew}
          </button>
          <button type="button" aria-disabled={isEnded.value} onClick={() => setAsked(true)}>
            {manage.disconnect}
          </button>
        </p>
      )}
      {isAsked && (
        <Disconnect
          integration={integration}
          onKeep={() => setAsked(false)}
          onDeleted={() => {
            onDeleted({ integrationId: integration.id, name, providerId });
          }}
        />
      )}
    </>
  );
}

/** Whether the provider accepts the access, in one sentence: it is asked now, because what was so yesterday helps nobody. */
function Health({ provider }: { provider: string }) {
  const attempt = useAttempt();
  const [isGood, setGood] = useState(false);
  const all = words.value;
  const check = () => {
    setGood(false);
    void attempt.run(async (signal) => {
      await call('integrations_verify_existing', { path: pathOf() }, signal);
      setGood(true);
      announce(fill(words.peek().manage.works, { provider }));
    });
  };
  useEffect(check, []);
  return (
    <section class="card" aria-label={all.manage.health}>
      {attempt.since !== undefined && (
        <Waiting
          since={attempt.since}
          onCancel={attempt.cancel}
          cancel={all.cancel}
          seconds={seconds}
        >
          {fill(all.asking, { provider })}
        </Waiting>
      )}
      {isGood && <p class="note good">{fill(all.manage.works, { provider })}</p>}
      {attempt.error && (
        <Failure error={attempt.error} provider={provider} refused={all.manage.refused} />
      )}
      {!attempt.isBusy && !isEnded.value && (
        <p>
          <button type="button" class="small" onClick={check}>
            {all.manage.check}
          </button>
        </p>
      )}
    </section>
  );
}

/** The second question. What confirms is elsewhere than what asked, and does nothing at once: a double click disconnects nothing. */
function Disconnect(props: {
  integration: Integration;
  onKeep: () => void;
  onDeleted: () => void;
}) {
  const { integration, onKeep, onDeleted } = props;
  const [isReady, setReady] = useState(false);
  const attempt = useAttempt();
  const { manage } = words.value;
  const { fullname: name, provider_fullname: provider } = integration;
  useEffect(() => {
    const timer = window.setTimeout(() => setReady(true), minBetweenClicksMs);
    return () => window.clearTimeout(timer);
  }, []);
  const disconnect = () => {
    if (!isReady || attempt.isBusy || isEnded.value) return;
    void attempt.run(async () => {
      await call('integrations_delete', { path: pathOf() });
      tell({ type: 'deleted', integration_id: integration.id });
      onDeleted();
    });
  };
  return (
    <section class="card question" aria-labelledby="disconnect">
      <h2 id="disconnect">{fill(manage.question, { name })}</h2>
      <p>{fill(manage.consequence, { provider })}</p>
      {attempt.error && <Failure error={attempt.error} provider={provider} />}
      <p class="row apart">
        <button type="button" disabled={attempt.isBusy} onClick={onKeep}>
          {manage.keep}
        </button>
        <button
          type="button"
          class="danger"
          aria-disabled={!isReady || attempt.isBusy || isEnded.value}
          onClick={disconnect}
        >
          {attempt.isBusy ? manage.disconnecting : manage.confirm}
        </button>
      </p>
    </section>
  );
}
