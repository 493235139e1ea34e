import { createPrivateKey } from 'node:crypto';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import { NoResponse, type Outgoing, redirectedTo, sendText, type TextResponse } from '#egress';
import { basicAuthorization, formEncode, readRefusal, readTokenAnswer } from '#oauth';
import { Redactor } from '../redact.js';
import { noTokenInTime, retryLater } from './token-failures.js';

const defaultLifetimeSeconds = 300;
/** As long as another process waits before it fetches the token instead. */
export const maxFetchMs = 15_000;

/** The credential that tokens belong to. */
export interface TokenOwner {
  organizationId: string;
  accountId: string;
  /** The domain of the integration. */
  domain?: string | undefined;
  credentialId: string;
  /** False for a credential that is only tried: nobody can find it by its id. */
  isStored: boolean;
}

/** An OAuth client that asks for a token. */
export interface ClientTokenRequest extends TokenOwner {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string | undefined;
  parameters: readonly [string, string][];
  client: 'basic' | 'body';
  /** Claims of a signed statement that stands for id and secret (RFC 7523, 2.1); the secret is the private key, and is never sent. */
  claims?: Readonly<Record<string, unknown>>;
}

export interface AccessToken {
  token: string;
  expiresAt: number;
}

/**
 * Asks for an access token by the client credentials grant (RFC 6749, 4.4) or by a signed statement, as often and as patiently as other calls of a provider.
 * @throws ApiError 429 where the provider takes no more requests, 502 to 504 when there is no token
 */
export async function fetchAccessToken(
  request: ClientTokenRequest,
  outgoing: Outgoing,
  clock: Clock,
  signal: AbortSignal,
): Promise<AccessToken> {
  const url = outgoing.policy.checkUrl(request.tokenUrl);
  const { organizationId } = request;
  const deadline = clock.now() + maxFetchMs;
  const message = await messageOf(request, clock.now());
  let response: TextResponse;
  try {
    response = await sendText({ ...message, url, method: 'POST', isRepeatable: true }, outgoing, {
      organizationId,
      signal,
      deadline,
      statusOf,
    });
  } catch (error) {
    if (error instanceof ApiError || isEgressRefused(error)) throw error;
    if (signal.aborted || (error instanceof NoResponse && error.timedOut))
      throw noTokenInTime(url, error);
    throw failureOf(request, url, { words: ` (${describe(error)})`, cause: error });
  }
  const answer = response.status < 300 ? readTokenAnswer(response.text) : undefined;
  if (answer === undefined) throw refusalOf(request, url, response);
  const { accessToken: token, expiresInSeconds = defaultLifetimeSeconds } = answer;
  return { token, expiresAt: clock.now() + expiresInSeconds * 1000 };
}

async function messageOf(
  request: ClientTokenRequest,
  now: number,
): Promise<{ headers: Record<string, string>; body: string }> {
  const { client, clientId, clientSecret, scope, parameters } = request;
  const form = new URLSearchParams(parameters as [string, string][]);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    accept: 'application/json',
    'user-agent': 'onefold',
  };
  if (request.claims !== undefined) {
    form.set('grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer');
    form.set('assertion', await signStatement(request, request.claims, now));
    return { headers, body: form.toString() };
  }
  form.set('grant_type', 'client_credentials');
  if (scope) form.set('scope', scope);
  if (client === 'basic') headers['authorization'] = basicAuthorization(clientId, clientSecret);
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  return { headers, body: form.toString() };
}

const statementSeconds = 3600;

/** Signs who asks for what, with the private key that is the client's secret. @throws ApiError 502 for another secret */
async function signStatement(
  request: ClientTokenRequest,
  claims: object,
  now: number,
): Promise<string> {
  const { tokenUrl, clientSecret, scope } = request;
  const issued = Math.floor(now / 1000);
  const given = {
    aud: tokenUrl,
    iat: issued,
    exp: issued + statementSeconds,
    ...(scope ? { scope } : {}),
  };
  const { SignJWT } = await import('jose'); // Loaded at the first use, because few providers take statements.
  try {
    // Copied out of a JSON file, the ends of its lines are still written as in JSON.
    const key = createPrivateKey(clientSecret.replaceAll('\\n', '\n'));
    return await new SignJWT({ ...given, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .sign(key);
  } catch {
    throw failureOf(request, new URL(tokenUrl), {
      words: ', because its client secret is not a private RSA key in PEM',
      remediation:
        'Enter the private key, from BEGIN PRIVATE KEY to END PRIVATE KEY, or the whole key file where the provider takes that.',
    });
  }
}

/** Some say with another status that they take no more requests, or none for now (RFC 6749, 4.1.2.1, and RFC 8628, 3.5). */
function statusOf({ status, text }: TextResponse): number {
  if (status >= 500 || status === 429) return status;
  const { code = '' } = status < 300 && readTokenAnswer(text) ? {} : readRefusal(text);
  if (/^(slow_down|rate_?limit(ed|_exceeded)?|too_many_requests|throttled)$/i.test(code))
    return 429;
  return code === 'temporarily_unavailable' ? 503 : status;
}

export function isEgressRefused(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'EGRESS_REFUSED';
}

/** The error for a response without a token, in the words of the provider. */
function refusalOf(request: ClientTokenRequest, url: URL, response: TextResponse): ApiError {
  const { status } = response;
  const redactor = redactorOf(request);
  const { words: said = '' } = readRefusal(response.text, (text) => redactor.text(text));
  const words = said === '' ? '' : `: ${said}`;
  if (status === 429 || status >= 500) return retryLater(url, response, words);
  const to = redirectedTo(response, url);
  if (to !== undefined)
    return failureOf(request, url, {
      words: `, but redirects to ${to}`,
      remediation: 'Correct token_url of the credential, if it has moved.',
    });
  if (status === 404 || status === 405 || status === 410 || (status < 300 && said === ''))
    return failureOf(request, url, {
      words: ` (status ${status})${words}`,
      remediation: 'Check token_url of the credential.',
    });
  return failureOf(request, url, {
    words: words || ` (status ${status})`,
    remediation: 'Check client id, client secret and scope of the credential.',
  });
}

function failureOf(
  { isStored, credentialId }: ClientTokenRequest,
  { origin, pathname }: URL,
  { words, remediation, cause }: { words: string; remediation?: string; cause?: unknown },
): ApiError {
  const name = isStored ? credentialId : 'in provider_config';
  return new ApiError(502, `${origin} gives no access token for the credential ${name}${words}`, {
    remediation: remediation ?? 'Check token_url of the credential, and that the provider is up.',
    context: {
      provider_details: {
        token_url: `${origin}${pathname}`,
        ...(isStored ? { credential_id: credentialId } : {}),
      },
    },
    ...(cause === undefined ? {} : { cause }),
  });
}

function redactorOf({ clientId, clientSecret }: ClientTokenRequest): Redactor {
  const redactor = new Redactor();
  redactor.add(clientSecret);
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  redactor.add(Buffer.from(pair).toString('base64'));
  return redactor;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
