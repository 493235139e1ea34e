import { useEffect, useState } from 'preact/hooks';
import type { Values } from '../forms/values.js';
import { announce } from '../parts/announce.js';
import { useAttempt } from '../parts/attempt.js';
import { Waiting } from '../parts/waiting.js';
import type { Provider } from './access.js';
import {
  type Authorization,
  begin,
  type Begun,
  decided,
  type Granted,
  keepAuthorization,
  keptAuthorization,
  openWindow,
} from './authorize.js';
import { Failure } from './failure.js';
import { isEnded } from './session.js';
import { fill, seconds, words } from './words.js';

interface Props {
  provider: Provider;
  /** Returns what a reload keeps of the form. */
  values: () => Values;
  /** Told of what was granted; of nothing when somebody begins again. */
  onGranted: (granted: Granted | undefined) => void;
}

/** The button that leads to the page of the provider, and what became of it. */
export function AuthorizePanel({ provider, values, onGranted }: Props) {
  const [begun, setBegun] = useState<Begun>();
  const [outcome, setOutcome] = useState<Authorization>();
  const [isCancelled, setCancelled] = useState(false);
  const attempt = useAttempt();
  const { authorize, cancel, cancelled } = words.value;
  const name = { provider: provider.vendor };

  const wait = async (one: Begun, signal: AbortSignal) => {
    setBegun(one);
    keepAuthorization(one);
    const result = await decided(one, signal);
    keepAuthorization(undefined);
    setBegun(undefined);
    setOutcome(result);
    announce(fill(authorize[outcomeOf(result)], name));
    if (result.status === 'granted') onGranted(result);
  };
  useEffect(() => {
    const kept = keptAuthorization(provider.id);
    if (kept !== undefined) void attempt.run((signal) => wait(kept, signal));
  }, []);
  const start = () => {
    if (attempt.isBusy || isEnded.value) return;
    const opened = openWindow();
    setOutcome(undefined);
    setCancelled(false);
    onGranted(undefined);
    void attempt.run(async (signal) => {
      try {
        const one = await begin(provider.id, values(), signal);
        opened.show(one.url);
        await wait(one, signal);
      } catch (error) {
        opened.close();
        throw error;
      }
    });
  };
  const stop = () => {
    attempt.cancel();
    keepAuthorization(undefined);
    setBegun(undefined);
    setCancelled(true);
    announce(cancelled);
  };
  const isGranted = outcome?.status === 'granted';
  return (
    <div class="authorize">
      <button
        type="button"
        class={isGranted ? '' : 'primary'}
        aria-disabled={attempt.isBusy || isEnded.value}
        onClick={start}
      >
        {fill(isGranted ? authorize.again : authorize.with, name)}
      </button>
      {attempt.since !== undefined && (
        <Waiting since={attempt.since} onCancel={stop} cancel={cancel} seconds={seconds}>
          {fill(authorize.waiting, name)}
        </Waiting>
      )}
      {begun && attempt.isBusy && (
        <p>
          <a href={begun.url} target="_blank" rel="noopener noreferrer">
            {fill(words.value.open, name)}
          </a>
        </p>
      )}
      {attempt.error && <Failure error={attempt.error} provider={provider.vendor} />}
      {isCancelled && !attempt.isBusy && <p class="note">{cancelled}</p>}
      {outcome && <Outcome outcome={outcome} provider={provider} />}
      {!isGranted && <Scopes provider={provider} />}
    </div>
  );
}

function outcomeOf({ status }: Authorization): 'granted' | 'refused' | 'expired' {
  return status === 'granted' || status === 'refused' ? status : 'expired';
}

function Outcome({ outcome, provider }: { outcome: Authorization; provider: Provider }) {
  const { authorize, details } = words.value;
  const text = fill(authorize[outcomeOf(outcome)], { provider: provider.vendor });
  const missing = outcome.missing_scopes ?? [];
  if (outcome.status === 'granted')
    return (
      <>
        <p class="note" role="status">
          {text}
        </p>
        {missing.length > 0 && (
          <p class="fault" role="alert">
            {fill(authorize.missing, { scopes: missing.join(', ') })}
          </p>
        )}
      </>
    );
  return (
    <div class="problem" role="alert">
      <p class="remedy">{text}</p>
      {outcome.message && (
        <details>
          <summary>{details}</summary>
          <p lang="en" dir="ltr">
            {outcome.message}
          </p>
        </details>
      )}
    </div>
  );
}

/** The permissions that the page of the provider asks for. */
function Scopes({ provider: { vendor, authorization } }: { provider: Provider }) {
  return (
    <details>
      <summary>{fill(words.value.authorize.scopes, { provider: vendor })}</summary>
      <ul class="bullets" lang="en" dir="ltr">
        {(authorization?.scopes ?? []).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </details>
  );
}
