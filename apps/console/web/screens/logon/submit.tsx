import { RequestError } from '../../api/client.js';
import { Countdown } from '../../parts/countdown.js';
import { ProblemBox } from '../../parts/problem.js';

export function Submit({ isBusy, children = 'Log on' }: { isBusy: boolean; children?: string }) {
  return (
    <button type="submit" class="primary" aria-disabled={isBusy}>
      {isBusy ? 'Logging on …' : children}
    </button>
  );
}

/** Sentences for the person at the screen about each refusal of a logon, by the end of the problem's type or by status. */
const refusals: Record<string, string> = {
  'auth-failure':
    'Organization, member or password is wrong. Five wrong passwords lock the member for 15 minutes.',
  'auth-locked':
    'This member is locked after five wrong passwords. Try again in 15 minutes, or ask an administrator to unlock it.',
  'auth-disabled': 'An administrator has disabled this member.',
  'auth-expired':
    'This member, or its invitation, has expired. Ask an administrator for a new one.',
  '401': 'The service does not accept this token. It may have expired or been deleted.',
  '402': 'This organization is disabled.',
};

export function Failure({ error }: { error: Error | undefined }) {
  if (error === undefined) return null;
  if (!(error instanceof RequestError))
    return (
      <p class="fault" role="alert">
        {error.message}
      </p>
    );
  const { problem, retryAfterSeconds } = error;
  if (problem.status === 429)
    return (
      <div class="fault" role="alert">
        <p>Too many attempts from this address.</p>
        <Countdown seconds={retryAfterSeconds ?? 60} />
      </div>
    );
  const text = refusals[problem.type?.split(':').at(-1) ?? ''] ?? refusals[problem.status];
  if (text === undefined) return <ProblemBox error={error} />;
  return (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}
