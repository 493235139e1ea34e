import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { RequestError, send } from '../api/client.js';
import { keepSession } from '../api/session.js';
import { useAttempt } from '../parts/attempt.js';
import { Field } from '../parts/field.js';
import { ProblemBox } from '../parts/problem.js';

const ways = { token: 'Token', password: 'Password' } as const;
type Way = keyof typeof ways;

/** The first screen. @param token of the address, which is tried at once */
export function LogonScreen({ token }: { token: string | undefined }) {
  useEffect(() => {
    document.title = 'Log on · Onefold console';
  }, []);
  return (
    <main class="logon">
      <div class="card">
        <p class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <circle cx="16" cy="16" r="7" />
          </svg>
          Onefold
        </p>
        <h1>Log on to the console</h1>
        <LogonForm token={token} />
      </div>
      <p class="aside">
        The token stays in this tab and is gone when you close it.{' '}
        <a href="/reference/">API reference</a>
      </p>
    </main>
  );
}

/** Logs on by a token or a password; the session starts when it succeeds. */
export function LogonForm({ token }: { token?: string | undefined }) {
  const [way, setWay] = useState<Way>('token');
  const tabs = Object.keys(ways) as Way[];
  const id = useId();
  const choose = (next: Way) => {
    setWay(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Log on by">
        {tabs.map((one, index) => (
          <button
            type="button"
            role="tab"
            key={one}
            id={`${id}-${one}`}
            aria-selected={one === way}
            aria-controls={`${id}-panel`}
            tabIndex={one === way ? 0 : -1}
            onClick={() => setWay(one)}
            onKeyDown={({ key }) => {
              const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
              const next = tabs[(index + step + tabs.length) % tabs.length];
              if (step !== 0 && next !== undefined) choose(next);
            }}
          >
            {ways[one]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${way}`}>
        {way === 'token' ? <TokenForm given={token} /> : <PasswordForm />}
      </div>
    </>
  );
}

function TokenForm({ given }: { given: string | undefined }) {
  const [token, setToken] = useState('');
  const attempt = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  const start = (text: string) =>
    attempt.run(async () => {
      const secret = text.trim();
      const fault = faultOf(secret);
      if (fault !== undefined) throw new Error(fault);
      const { result: organization } = await send('organization_get', {}, secret);
      keepSession({ token: secret, organization });
    });
  useEffect(() => {
    if (given === undefined) field.current?.focus();
    else void start(given);
  }, []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start(token);
      }}
    >
      <label>
        Organization token
        <input
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="ofo_…"
          value={token}
          aria-describedby="token-hint"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p class="hint" id="token-hint">
        It begins with <code>ofo_</code>. <code>npm start</code> prints the first one; an
        administrator can create more.
      </p>
      <Failure error={attempt.error} />
      <Submit isBusy={attempt.isBusy} />
    </form>
  );
}

/** Finds out without a request that a text cannot be an organization token. */
function faultOf(token: string): string | undefined {
  if (token === '') return 'Paste a token first.';
  if (token.startsWith('ofi_'))
    return 'This is an integration token. It is for the connector API, which products call. The console needs an organization token, which begins with ofo_.';
  if (token.startsWith('ofr_'))
    return 'This is a refresh secret. It renews a token and can do nothing else. The console needs the token itself, which begins with ofo_.';
  if (!/^ofo_[\w-]+$/.test(token)) return 'This is not an organization token. It begins with ofo_.';
  return undefined;
}

function PasswordForm() {
  const [organization, setOrganization] = useState('');
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const attempt = useAttempt();
  const start = () =>
    attempt.run(async () => {
      const input = {
        path: { organizationId: organization.trim() },
        body: { name: name.trim(), secret },
      };
      const { result } = await send('auth_logon', input);
      if (result.auth_code !== 'success')
        throw new Error(
          'You have to choose a new password first. POST /v1/auth/change_password does it with the token of this logon; the console will offer a form for it.',
        );
      const token = result.token.access.secret;
      keepSession({ token, organization: result.organization, member: result.member.name });
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Field
        label="Organization"
        isRequired
        autocomplete="organization"
        value={organization}
        onInput={setOrganization}
      />
      <Field
        label="Member (e-mail address)"
        isRequired
        autocomplete="username"
        value={name}
        onInput={setName}
      />
      <Field
        label="Password"
        isRequired
        type="password"
        autocomplete="current-password"
        value={secret}
        onInput={setSecret}
      />
      <Failure error={attempt.error} />
      <Submit isBusy={attempt.isBusy} />
    </form>
  );
}

function Submit({ isBusy }: { isBusy: boolean }) {
  return (
    <button type="submit" class="primary" aria-disabled={isBusy}>
      {isBusy ? 'Logging on …' : 'Log on'}
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

function Failure({ error }: { error: Error | undefined }) {
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
      <p class="fault" role="alert">
        Too many attempts from this address. Try again in{' '}
        {Math.ceil((retryAfterSeconds ?? 60) / 60)} min.
      </p>
    );
  const text = refusals[problem.type?.split(':').at(-1) ?? ''] ?? refusals[problem.status];
  if (text === undefined) return <ProblemBox error={error} />;
  return (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}
