import { createHash } from 'node:crypto';
import { ApiError } from '#contract';
import type { Value } from '@onefold/mapping';
import { type CompiledProvider, type CompiledSending, evaluate } from '#provider-document';
import { Authentication, LoginRefused, type OpenedCredential, type Session } from '#provider-http';
import { credentialUse } from './credential-use.js';
import type { RequestSender } from './http-call.js';
import { answerInput } from './paging.js';
import { checkResponse, withInput } from './step-context.js';

/** How long a login may take, with its repetitions. It does not end with the call that needs it, since others wait for it too. */
const maxLoginMs = 30_000;
const maxLogoutMs = 10_000;
/** A session is opened again this long before it ends, or in its last tenth. */
const earlierMs = 60_000;

type SendingBySession = CompiledSending & { session: NonNullable<CompiledSending['session']> };

/** The keys of documents that sessions depend on, as text: they are the same for all calls. */
const documentTexts = new WeakMap<CompiledProvider, string>();

/** Names a session by everything that it depends on, without the secret. */
export function sessionKey(
  provider: CompiledProvider,
  owner: readonly string[],
  { kind, config }: OpenedCredential,
  providerConfig: Value,
): string {
  const { credentials, calls, http, version } = provider.source;
  const text = documentTexts.get(provider) ?? JSON.stringify([version, credentials, calls, http]);
  documentTexts.set(provider, text);
  const hash = createHash('sha256')
    .update(text)
    .update(JSON.stringify([config, providerConfig]));
  return JSON.stringify([...owner, kind, hash.digest('base64')]);
}

/** Logs in by the call of the document. @throws LoginRefused, ApiError */
export async function openSession(
  http: RequestSender,
  sending: SendingBySession,
  opened: OpenedCredential,
  context: Parameters<typeof credentialUse>[2],
): Promise<Session> {
  const { login, token: tokenOf, lifetime, as, logout } = sending.session;
  const { place, limits, config } = context;
  const credential = { ...opened.config } as Value;
  const seen = withInput(login, { steps: {}, config, credential }, limits);
  let isRefused = false;
  const others = Authentication.together(http.beside());
  const answer = await http
    .send(login, seen, { primary: false, apartMs: maxLoginMs, login: opened }, others, (status) => {
      isRefused = status === 401 || status === 403;
    })
    .catch((error: unknown) => {
      throw isRefused && error instanceof ApiError ? new LoginRefused(error) : error;
    });
  checkResponse(login, seen, answer, http);
  const input = answerInput(seen, answer);
  const token = evaluate(tokenOf, input, `${place}.token`, limits);
  if (token === null || token === undefined || token === '')
    throw new ApiError(502, `the provider document failed at ${place}.token: there is no token`, {
      remediation: 'Correct token, or add a check to login that says what the provider answers.',
    });
  const seconds = lifetime && Number(evaluate(lifetime, input, `${place}.lifetime`, limits));
  const use = credentialUse(as, opened, { ...context, place: `${place}.as`, session: token });
  return {
    use,
    secrets: textsOf(token),
    lifetimeMs: seconds ? seconds * 1000 - Math.min(earlierMs, seconds * 100) : undefined,
    logOut: logout && closing(),
  };

  /** Keeps what closing needs: the call that has opened the session is over then. */
  function closing(): () => Promise<unknown> {
    const apart = http.apart();
    const beside = apart.beside();
    const authentication = new Authentication(opened, use, http.tokens, apart.redactor, beside);
    const call = logout as NonNullable<typeof logout>;
    const ending = withInput(call, { steps: {}, config, session: token }, limits);
    return () => apart.send(call, ending, { primary: false, apartMs: maxLogoutMs }, authentication);
  }
}

function textsOf(token: Value): string[] {
  if (typeof token === 'string') return [token];
  if (typeof token !== 'object' || token === null) return [];
  return Object.values(token).flatMap((part) => textsOf(part as Value));
}
