import { useEffect, useMemo, useState } from 'preact/hooks';
import { mayCall } from '../../api/permissions.js';
import { Missing } from '../../parts/action.js';
import { useAttempt } from '../../parts/attempt.js';
import { bytes } from '../../parts/numbers.js';
import { Waiting } from '../../parts/waiting.js';
import { applyChain, trialOf } from './apply-chain.js';
import { asPlain, parseExact } from '../../parts/mappings/exact-json.js';
import { type AtFault, FaultPlace, Faults } from '../../parts/faults.js';
import { faultsOf, type FoundFault } from '../../parts/found-fault.js';
import { Pane } from './panes.js';
import { maxRecord } from './record.js';
import { Chain, Outcome, type Tried } from '../../parts/mappings/steps.js';
import { Unmapped } from './unmapped.js';
import type { Mapping, Subject } from './subject.js';

const pauseMs = 300;
/** Larger ones are tried on a click only: each try sends them. */
const maxLive = 200_000;

interface Props extends AtFault {
  subject: Subject;
  document: string;
  /** The record, as JSON. */
  sample: string;
  stored: Mapping | undefined;
  /** Gets the faults of the document that have a place in it. */
  onFaults: (faults: readonly FoundFault[]) => void;
}

/** Result of the unsaved document for the record, behind the other mappings of the chain; tried again whenever the typing pauses. */
export function Preview({ subject, document, sample, stored, onFaults, ...atFault }: Props) {
  const [tried, setTried] = useState<Tried>();
  /** The last one that did not fail. */
  const [good, setGood] = useState<Tried>();
  const { run, cancel, since, error } = useAttempt();
  const size = document.length + sample.length;
  const fault = useMemo(() => sampleFault(sample), [sample]);
  const trial = trialOf(subject, stored, document);
  const { name } = trial;
  const preview = () =>
    run(async (signal) => {
      const record = sample || '{}';
      const steps = await applyChain(trial, record, signal);
      if (isNone) return setTried(undefined);
      const now = { steps, input: parseExact(record) };
      setTried(now);
      if (!now.steps.at(-1)?.failure) setGood(now);
    }, true);
  /** Without a record only the document is checked: whether it fails on an empty one says nothing. */
  const isNone = sample === '';
  const last = isNone ? undefined : tried?.steps.at(-1);
  const failure = last?.failure ? asPlain(last.failure) : undefined;
  const position = last?.mapping === name ? (failure?.position ?? undefined) : undefined;
  useEffect(() => {
    if (error !== undefined) onFaults(faultsOf(error));
    else if (failure === undefined || position === undefined) onFaults([]);
    else onFaults([{ message: failure.reason, hint: undefined, position }]);
  }, [tried, error]);
  const isLive = size <= maxLive;
  const may = mayCall('mappings_apply');
  useEffect(() => {
    if (!isLive || fault !== undefined || !may) return;
    const timer = window.setTimeout(() => void preview(), pauseMs);
    return () => window.clearTimeout(timer);
  }, [document, sample, may]);
  if (!may)
    return (
      <section class="card">
        <Missing operation="mappings_apply" />
      </section>
    );
  const isOld = error !== undefined || fault !== undefined || good !== tried;
  return (
    <>
      <Pane name="result" title="Result">
        <div class="scrolls">
          {!isLive && fault === undefined && (
            <p class="note">
              Document and record have {bytes(size)}, so they are tried when you ask for it.{' '}
              <button type="button" class="small" onClick={() => void preview()}>
                Try now
              </button>
            </p>
          )}
          {fault !== undefined && <p class="wrong">{fault}</p>}
          {since !== undefined && !isLive && (
            <Waiting since={since} onCancel={cancel}>
              Trying the mapping …
            </Waiting>
          )}
          {error && <Faults error={error} text={document} {...atFault} />}
          {!error && failure && last && (
            <FaultPlace
              message={`${last.mapping}: ${failure.reason}`}
              position={position}
              text={document}
              {...atFault}
            />
          )}
          {!isNone && good && <Outcome {...good} isOld={isOld} />}
          {isNone && (
            <p class="empty">
              There is no record yet. Take one of the customer, or paste one, to see what becomes of
              it.
            </p>
          )}
        </div>
      </Pane>
      <Pane name="chain" title="Chain">
        <div class="scrolls">
          {good && !isNone ? (
            <>
              <Chain {...good} isOld={isOld} />
              <Unmapped operation={subject.operation} result={good.steps.at(-1)?.output} />
            </>
          ) : (
            <p class="empty">The steps of the chain are here once a record was tried.</p>
          )}
        </div>
      </Pane>
    </>
  );
}

/** Says why a record cannot be sent. */
function sampleFault(sample: string): string | undefined {
  if (sample === '') return undefined;
  if (sample.length > maxRecord)
    return `The record has ${bytes(sample.length)}; at most ${bytes(maxRecord)} can be tried. Paste a shorter one.`;
  try {
    const value: unknown = JSON.parse(sample);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
    return 'A record is a JSON object, as {"name": "VPN"}.';
  } catch (error) {
    return `The record is not JSON: ${(error as Error).message}`;
  }
}
