import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { operationOf } from '../../api/operations.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { ProblemBox } from '../../parts/problem.js';
import { sentence } from '../../parts/sentence.js';
import { Waiting } from '../../parts/waiting.js';
import { trialOf } from './apply-chain.js';
import { type Effect, maxTried, tryOnMany } from './many-records.js';
import { Cell } from '../../parts/mappings/steps.js';
import type { Mapping, Subject } from './subject.js';

const maxRows = 50;

interface Props {
  subject: Subject;
  stored: Mapping | undefined;
  document: string;
  /** Buttons beside the one that tries it. */
  children: ComponentChildren;
}

/** Says what saving a document would change in records of the customer; nothing is stored. */
export function TryMany({ subject, stored, document, children }: Props) {
  const { run, cancel, since, error, isBusy } = useAttempt();
  const [progress, setProgress] = useState(0);
  const [found, setFound] = useState<{ effect: Effect; document: string }>();
  const { method, path } = operationOf(subject.operation);
  if (method !== 'GET' || path.includes('{')) return <>{children}</>;
  const start = () =>
    run(async (signal) => {
      setProgress(0);
      setFound(undefined);
      const trial = trialOf(subject, stored, document);
      const effect = await tryOnMany(subject, trial, signal, setProgress);
      setFound({ effect, document });
      announce(inWords(effect));
    });
  return (
    <div class="stack">
      <div class="changes">
        {children}
        <Action
          operation="tokens_create_integration_token"
          isBusy={isBusy}
          onClick={() => void start()}
        >
          {`Try on ${maxTried} records`}
        </Action>
      </div>
      {since !== undefined && (
        <Waiting since={since} onCancel={cancel}>
          {progress === 0 ? 'Reading records …' : `Tried on ${progress} records …`}
        </Waiting>
      )}
      {error && <ProblemBox error={error} />}
      {found && <EffectTable effect={found.effect} isOld={found.document !== document} />}
    </div>
  );
}

function inWords({ tried, changed, failures }: Effect): string {
  if (tried === 0) return 'The customer’s system has no such record.';
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    `${changed} would change`,
    ...(failed > 0 ? [`${failed} would fail`] : []),
    `${tried - changed - failed} would stay the same`,
  ];
  return `Of ${tried} records, ${parts.join(', ')}.`;
}

function EffectTable({ effect, isOld }: { effect: Effect; isOld: boolean }) {
  const { fields, failures, skipped } = effect;
  return (
    <div class={isOld ? 'tried old' : 'tried'}>
      <p>
        <strong>{inWords(effect)}</strong>{' '}
        {isOld && <small>The document was changed since: try it again.</small>}
      </p>
      {skipped > 0 && <p class="hint">{skipped} more are too large to be tried.</p>}
      {failures.map(({ reason, count }) => (
        <p key={reason} class="wrong">
          {count === 1 ? 'One record' : `${count} records`}: {sentence(reason)}
        </p>
      ))}
      {fields.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label="Fields that would change">
          <table class="comparison">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Records</th>
                <th scope="col">Now, in the first one</th>
                <th scope="col">Once it is saved</th>
              </tr>
            </thead>
            <tbody>
              {fields.slice(0, maxRows).map(({ field, count, before, after }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td>{count}</td>
                  <Cell text={before} />
                  <Cell text={after} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
