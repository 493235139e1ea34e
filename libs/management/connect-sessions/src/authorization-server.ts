import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import {
  Attempts,
  createDispatcher,
  type EgressPolicy,
  EgressRefused,
  type OutgoingFetch,
  sendText,
  type TextResponse,
} from '#egress';
import { basicAuthorization, readRefusal, readTokenAnswer } from '#oauth';
import type * as oauth4webapi from 'oauth4webapi';
import type { Manifest } from '#provider-document';
import type { AnswerText } from './answer-words.js';
import { askedScopes, type ClaimedConfig, readClaims } from './id-token.js';

type Declared = NonNullable<Manifest['authorization']>;

/** The application of the host at a provider, with the addresses that it names instead of the document's. */
export interface HostApplication {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
}

/** The answer of a provider to a code. */
export type Exchanged =
  | (Tokens & { granted: true; missing: string[] | null; claimed: ClaimedConfig })
  | { granted: false; reason: AnswerText };

/** The tokens that an authorization server issues. */
export interface Tokens {
  token: string;
  /** Absent where the server grants none, or lets the one before stand. */
  refreshToken: string | undefined;
  expiresInSeconds: number | undefined;
}

/** The answer of a provider to a refresh token. `refused`: it will not take it again. */
export type Refreshed = (Tokens & { granted: true }) | { granted: false; refused: string };

const log = new Logger('oauth');

type OAuth = typeof oauth4webapi;

const timeoutMs = 15_000;
/** Codes, of the standards and of vendors, by which a refresh token is of no use any more. */
const endsGrant = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_expired',
  'token_revoked',
  'interaction_required',
  'consent_required',
  'login_required',
]);

/** Reads the application from the `o_auth_client` credential that the host stored. */
export function applicationOf(
  config: Record<string, unknown>,
  declared: Declared,
): HostApplication {
  const extra = (config['extra'] ?? {}) as Record<string, unknown>;
  const text = (value: unknown, other: string) => (typeof value === 'string' ? value : other);
  return {
    clientId: String(config['client_id']),
    clientSecret: String(config['client_secret']),
    authorizeUrl: text(extra['authorize_url'], declared.authorize_url),
    tokenUrl: text(config['token_url'], declared.token_url),
  };
}

/** Speaks the authorization code grant of OAuth 2 (RFC 6749, 4.1) with PKCE (RFC 7636) to authorization servers. */
@Injectable()
export class AuthorizationServers implements OnApplicationShutdown {
  private readonly dispatcher: ReturnType<typeof createDispatcher>;
  private readonly attempts = new Attempts({ clock: systemClock });

  constructor(private readonly egress: EgressPolicy) {
    this.dispatcher = createDispatcher(egress, { connections: 8 });
  }

  /** Returns a secret that only the exchange will show. */
  async newVerifier(): Promise<string> {
    const oauth = await import('oauth4webapi'); // Few installations ever need it.
    return oauth.generateRandomCodeVerifier();
  }

  /** Returns the page where a person decides. */
  async page(
    { clientId, authorizeUrl }: HostApplication,
    declared: Declared,
    { state, redirectUri, verifier }: { state: string; redirectUri: string; verifier: string },
  ): Promise<string> {
    const oauth = await import('oauth4webapi');
    const url = new URL(authorizeUrl);
    const parameters = {
      ...declared.parameters,
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: askedScopes(declared).join(declared.separator ?? ' '),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Exchanges the code of an answer. What goes wrong is one sentence without secrets. */
  async exchange(
    application: HostApplication,
    declared: Declared,
    answer: { parameters: URLSearchParams; state: string; redirectUri: string; verifier: string },
    fullname: string,
  ): Promise<Exchanged> {
    const oauth = await import('oauth4webapi');
    try {
      const url = this.egress.checkUrl(application.tokenUrl);
      // Without a declared name there is nothing to hold the one in the answer against.
      if (declared.issuer === undefined) answer.parameters.delete('iss');
      const issuer = declared.issuer ?? new URL(application.authorizeUrl).origin;
      const server = { issuer, token_endpoint: url.href };
      const client = { client_id: application.clientId };
      const proof = proofOf(oauth, application, declared);
      let claimed: ClaimedConfig = null;
      const checked = oauth.validateAuthResponse(server, client, answer.parameters, answer.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        checked,
        answer.redirectUri,
        answer.verifier,
        this.requestOptions(oauth, application, (idToken) => {
          claimed = readClaims(idToken, application.clientId, declared);
        }),
      );
      const granted = await oauth.processAuthorizationCodeResponse(server, client, response);
      const missing = missingOf(declared, granted.scope);
      return { granted: true, ...tokensOf(granted), missing, claimed };
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError)
        return { granted: false, reason: declined(error.error, fullname) };
      if (error instanceof oauth.ResponseBodyError)
        return { granted: false, reason: notExchanged(error.error, fullname) };
      if (isEgressRefused(error))
        return { granted: false, reason: { name: 'notAllowed', provider: fullname } };
      // The cause of the error may hold the answer, and so the token.
      log.warn({
        message: 'no token for a code',
        token_url: application.tokenUrl,
        error: String(error),
      });
      return { granted: false, reason: { name: 'unexpected', provider: fullname } };
    }
  }

  /**
   * Exchanges a refresh token for a new access token (RFC 6749, 6).
   * @throws ApiError 502 or 504 when the provider may renew it later
   */
  async refresh(
    application: HostApplication,
    declared: Declared,
    refreshToken: string,
    fullname: string,
  ): Promise<Refreshed> {
    const oauth = await import('oauth4webapi');
    const url = this.egress.checkUrl(application.tokenUrl);
    const server = { issuer: url.origin, token_endpoint: url.href };
    const client = { client_id: application.clientId };
    const proof = proofOf(oauth, application, declared);
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        proof,
        refreshToken,
        this.requestOptions(oauth, application),
      );
      const granted = await oauth.processRefreshTokenResponse(server, client, response);
      return { granted: true, ...tokensOf(granted) };
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && endsGrant.has(error.error))
        return { granted: false, refused: shown(error.error) };
      log.warn({ message: 'no token for a refresh token', error: String(error) });
      if (error instanceof ApiError) throw error;
      throw notRenewed(error, oauth, fullname);
    }
  }

  private requestOptions(
    oauth: OAuth,
    { clientId }: HostApplication,
    onIdToken: (token: string) => void = () => undefined,
  ) {
    return {
      signal: AbortSignal.timeout(timeoutMs),
      // Whether http is allowed is the egress policy's to say.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (...[url, options]: Parameters<OutgoingFetch>) =>
        this.fetch(new URL(url), options, clientId, onIdToken),
    };
  }

  /**
   * The providers' answers in the form that the standard has, and without id tokens: nobody logs on by them, and the issuer of one names the
   * tenant of the person, which nobody knows before. A code or a refresh token is good once, so a request that the provider may have
   * begun is not repeated.
   * @throws ApiError 429, 502 or 503 where the provider takes no request for now, or fails
   */
  private async fetch(
    url: URL,
    { method, headers, body, signal }: Parameters<OutgoingFetch>[1],
    clientId: string,
    onIdToken: (token: string) => void,
  ): Promise<Response> {
    const { dispatcher, attempts, egress: policy } = this;
    const response = await sendText(
      { method, url, headers, body: String(body), isRepeatable: false },
      { dispatcher, attempts, policy },
      {
        organizationId: clientId,
        deadline: Date.now() + timeoutMs,
        signal: signal ?? AbortSignal.timeout(timeoutMs),
      },
    );
    const { status, text } = response;
    if (status === 429 || status >= 500) throw failing(url, response);
    const answer = status < 300 ? readTokenAnswer(text) : undefined;
    if (answer?.idToken !== undefined) onIdToken(answer.idToken);
    if (answer === undefined)
      return json(400, {
        error: readRefusal(text).code ?? `status_${status}`,
        error_description: readRefusal(text).words,
      });
    return json(200, {
      access_token: answer.accessToken,
      refresh_token: answer.refreshToken,
      token_type: 'bearer',
      expires_in: answer.expiresInSeconds,
      scope: answer.scope,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

function json(status: number, body: object): Response {
  return Response.json(body, { status });
}

/** The error for a token endpoint that takes no request for now, or fails: it says nothing of the grant. */
function failing({ host }: URL, { status, retryAfterMs = 1_000, text }: TextResponse): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const code = shown(readRefusal(text).code ?? `status ${status}`);
  if (status === 429)
    return new ApiError(429, `${host} accepts no more token requests for now (${code})`, {
      remediation: `Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  return new ApiError(
    status === 503 ? 503 : 502,
    `${host} issues no token for now: it answers ${status}`,
    {
      remediation: 'Try again in a moment.',
    },
  );
}

/** Returns how the application shows who it is: in the form, or by HTTP Basic. */
export function proofOf(
  oauth: OAuth,
  { clientSecret }: HostApplication,
  { client }: Declared,
): oauth4webapi.ClientAuth {
  if (client === 'body') return oauth.ClientSecretPost(clientSecret);
  return (_server, { client_id: clientId }, _body, headers) =>
    headers.set('authorization', basicAuthorization(clientId, clientSecret));
}

function tokensOf(granted: oauth4webapi.TokenEndpointResponse): Tokens {
  const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = granted;
  return { token, refreshToken, expiresInSeconds: seconds };
}

function notRenewed(error: unknown, oauth: OAuth, fullname: string): ApiError {
  if (error instanceof oauth.ResponseBodyError)
    return new ApiError(
      502,
      `${fullname} does not renew tokens for the application of this service: ${shown(error.error)}`,
      {
        remediation:
          'The host checks client id and secret of the o_auth_client credential of its integration point.',
      },
    );
  if (isEgressRefused(error))
    return new ApiError(502, `this service may not call ${fullname} to renew a token`, {});
  return new ApiError(502, `${fullname} did not renew the token of the integration`, {
    remediation: 'Try again in a moment.',
  });
}

function isEgressRefused(error: unknown): boolean {
  return (
    error instanceof EgressRefused ||
    (error instanceof Error && error.cause instanceof EgressRefused)
  );
}

/** The scopes that were not granted; null where the provider does not say what it granted, as GitHub of the permissions of an app. */
function missingOf({ scopes }: Declared, granted: string | undefined): string[] | null {
  if (!granted) return null;
  const given = new Set(granted.split(/[ ,]+/));
  // This one stands for a refresh token, and not for a scope of the access token (OpenID Connect, 11).
  const missing = scopes.filter((scope) => scope !== 'offline_access' && !given.has(scope));
  return missing.length === 0 ? null : missing;
}

function declined(code: string, provider: string): AnswerText {
  if (code === 'access_denied') return { name: 'declined', provider };
  return { name: 'refused', provider, code: shown(code) };
}

function notExchanged(code: string, provider: string): AnswerText {
  if (
    ['invalid_grant', 'invalid_code', 'bad_verification_code', 'code_already_used'].includes(code)
  )
    return { name: 'late', provider };
  return { name: 'application', provider, code: shown(code) };
}

/** Error codes come from outside: only what looks like one is repeated. */
function shown(code: string): string {
  return /^[\w.-]{1,60}$/.test(code) ? code : 'error';
}
