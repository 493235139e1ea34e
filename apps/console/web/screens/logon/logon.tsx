import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { send } from '../../api/client.js';
import type { Invitation } from '../../api/invitation.js';
import { serviceOrigin } from '../../api/service.js';
import { keepSession, session } from '../../api/session.js';
import type { ReturnedSignOn } from '../../api/sign-on.js';
import { useAttempt } from '../../parts/attempt.js';
import { PasswordForm } from './password-form.js';
import { SignOnForm } from './sign-on-form.js';
import { Failure, Submit } from './submit.js';

const ways = { token: 'Token', password: 'Password', sso: 'Single sign-on' } as const;
type Way = keyof typeof ways;

/** A finished sign-on that the address had, which is tried at once, or a token or an invitation, which wait for a click. */
export interface FromAddress {
  token?: string | undefined;
  signOn?: ReturnedSignOn | undefined;
  invitation?: Invitation | undefined;
}

/** The first screen. */
export function LogonScreen(from: FromAddress) {
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
        {from.invitation && (
          <p class="note">
            You were invited as <bdi>{from.invitation.member}</bdi>. Log on with what is filled in,
            then choose a password of your own.
          </p>
        )}
        <LogonForm {...from} isAlone />
      </div>
      <p class="aside">
        The token stays in this tab and is gone when you close it.{' '}
        <a href={`${serviceOrigin()}/reference/`}>API reference</a>
      </p>
    </main>
  );
}

/**
 * Logs on by a token, a password or an identity provider; the session starts when it succeeds.
 * @param isAlone whether nothing is below it that leaving the page for an identity provider would lose
 */
export function LogonForm({
  token,
  signOn,
  invitation,
  isAlone = false,
}: FromAddress & { isAlone?: boolean }) {
  const [way, setWay] = useState<Way>(signOn ? 'sso' : invitation ? 'password' : 'token');
  const tabs = (Object.keys(ways) as Way[]).filter((one) => isAlone || one !== 'sso');
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
        {way === 'token' && <TokenForm given={token} />}
        {way === 'password' && <PasswordForm given={invitation} />}
        {way === 'sso' && <SignOnForm returned={signOn} />}
      </div>
    </>
  );
}

function TokenForm({ given }: { given: string | undefined }) {
  const [token, setToken] = useState(given ?? '');
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
  useEffect(() => field.current?.focus(), []);
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
      {given !== undefined && <GivenToken />}
      <Failure error={attempt.error} />
      <Submit isBusy={attempt.isBusy} />
    </form>
  );
}

/** Anybody can write a link with a token of theirs, so it logs nobody on by itself. */
function GivenToken() {
  const { organization } = session.peek() ?? {};
  return (
    <>
      <p class="note">
        The link has filled in a token. Log on only if you trust where the link is from.
        {organization && (
          <>
            {' '}
            You are logged on to <bdi>{organization.fullname}</bdi> now, and its session in this tab
            would end.
          </>
        )}
      </p>
      {organization && (
        <p>
          <button type="button" onClick={() => location.reload()}>
            Stay logged on to <bdi>{organization.fullname}</bdi>
          </button>
        </p>
      )}
    </>
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
