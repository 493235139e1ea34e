import { RequestError } from '../../api/request-error.js';
import { problems } from '../../connect/words/en.json';
import { Action } from '../../parts/action.js';
import type { Attempt } from '../../parts/attempt.js';
import { type Passed, PassedNote } from '../../parts/passed.js';
import { ProblemBox } from '../../parts/problem.js';
import { kindOf } from '../../parts/problem-kind.js';
import { Waiting } from '../../parts/waiting.js';
import type { Provider } from '../../parts/provider.js';

interface Props {
  check: Attempt;
  create: Attempt;
  passed: Passed | undefined;
  isOutdated: boolean;
  isIncomplete: boolean;
  onAnyway: () => void;
  provider: Provider;
}

/** Shows the result of a check beside the form. */
export function CheckOutcome({
  check,
  create,
  passed,
  isOutdated,
  isIncomplete,
  onAnyway,
  provider,
}: Props) {
  const isIdle = !check.isBusy && !check.error && !create.error && !passed && !isIncomplete;
  return (
    <section class="card" aria-labelledby="checked">
      <h2 id="checked">Live check</h2>
      {isIdle && (
        <p class="empty">
          “Check” asks {provider.fullname} whether it accepts this. Nothing is stored before you
          connect.
        </p>
      )}
      {isIncomplete && <p class="fault">Some fields are empty or wrong. They are marked.</p>}
      {check.since !== undefined && (
        <Waiting since={check.since} onCancel={check.cancel}>
          Asking the provider …
        </Waiting>
      )}
      {passed && (
        <div class={isOutdated ? 'outdated' : ''}>
          <PassedNote {...passed} />
          {isOutdated && <p class="hint">The form has changed since. “Connect” checks it again.</p>}
        </div>
      )}
      {check.error && (
        <>
          <ProblemBox error={check.error} {...remedyOf(check.error, provider)} />
          <p class="hint">
            Correct the form, which checks it again. If the system is down at the moment, you can
            connect it unchecked:
          </p>
          <Action operation="integrations_create" isBusy={create.isBusy} onClick={onAnyway}>
            Connect anyway
          </Action>
        </>
      )}
      {create.error && <ProblemBox error={create.error} {...remedyOf(create.error, provider)} />}
      <Setup provider={provider} />
      <Needs provider={provider} />
    </section>
  );
}

/** The remedy of what somebody has typed wrongly, in the words that the Connect UI has for it. */
function remedyOf(error: Error, { fullname }: Provider): { remedy?: string } {
  const kind = error instanceof RequestError ? kindOf(error.problem) : undefined;
  if (kind !== 'unreachable' && kind !== 'invalid') return {};
  return { remedy: problems[kind].replace('{provider}', fullname) };
}

/** How somebody gets the credential at the provider. */
function Setup({ provider: { fullname, setup } }: { provider: Provider }) {
  if (!setup) return null;
  const { steps, link } = setup;
  return (
    <details open>
      <summary>How to get the credential</summary>
      <ol class="bullets">
        {steps.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ol>
      {link !== undefined && (
        <p class="hint">
          <a href={link} target="_blank" rel="noopener noreferrer">
            Open {fullname} in a new tab
          </a>
        </p>
      )}
    </details>
  );
}

/** The permissions that the operations of the provider need there. */
function Needs({ provider: { operations, setup } }: { provider: Provider }) {
  const ofOperations = new Set((operations ?? []).flatMap((one) => one.needs ?? []));
  const needs = setup?.permissions ?? [...ofOperations];
  if (needs.length === 0) return null;
  return (
    <details>
      <summary>Permissions that the credential needs there</summary>
      <ul class="bullets">
        {needs.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </details>
  );
}
