import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  createDispatcher,
  type EgressPolicy,
  EgressRefused,
  type OutgoingFetch,
  outgoingFetch,
} from '#egress';
import type { Manifest } from '#provider-document';

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
  | { granted: true; token: string; expiresInSeconds: number | undefined; missing: string[] | null }
  | { granted: false; message: string };

const log = new Logger('oauth');

const timeoutMs = 15_000;

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

  constructor(private readonly egress: EgressPolicy) {
    this.dispatcher = createDispatcher(egress, { connections: 8 });
  }

  /** Returns the page where a person decides, and the secret that only the exchange will show. */
  async begin(
    { clientId, authorizeUrl }: HostApplication,
    declared: Declared,
    redirectUri: string,
  ): Promise<{ verifier: string; page: (state: string) => string }> {
    const oauth = await import('oauth4webapi'); // Few installations ever need it.
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const page = (state: string) => {
      const url = new URL(authorizeUrl);
      const parameters = {
        ...declared.parameters,
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: declared.scopes.join(declared.separator ?? ' '),
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    };
    return { verifier, page };
  }

  /** Exchanges the code of an answer. What goes wrong is told in one sentence without secrets. */
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
      const proof =
        declared.client === 'body'
          ? oauth.ClientSecretPost(application.clientSecret)
          : oauth.ClientSecretBasic(application.clientSecret);
      const checked = oauth.validateAuthResponse(
        ...([server, client, answer.parameters, answer.state] as const),
      );
      const response = await oauth.authorizationCodeGrantRequest(
        ...([server, client, proof, checked, answer.redirectUri, answer.verifier] as const),
        {
          signal: AbortSignal.timeout(timeoutMs),
          // Whether http is allowed is the egress policy's to say.
          [oauth.allowInsecureRequests]: true,
          [oauth.customFetch]: (target, init) => this.fetch(target, init),
        },
      );
      const granted = await oauth.processAuthorizationCodeResponse(server, client, response, {
        // Slack names the kind of its token: it is sent as every bearer token is.
        recognizedTokenTypes: { bot: () => undefined },
      });
      return {
        granted: true,
        token: granted.access_token,
        expiresInSeconds: granted.expires_in,
        missing: missingOf(declared, granted.scope),
      };
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError)
        return { granted: false, message: declined(error.error, fullname) };
      if (error instanceof oauth.ResponseBodyError)
        return { granted: false, message: notExchanged(error.error, fullname) };
      if (error instanceof TypeError && error.cause instanceof EgressRefused)
        return { granted: false, message: `This service may not call ${fullname}.` };
      log.warn({ message: 'no token for a code', token_url: application.tokenUrl, error });
      return { granted: false, message: `${fullname} did not answer as expected. Try again.` };
    }
  }

  /** The providers' answers, with the status that the standard has for errors. */
  private async fetch(...[url, options]: Parameters<OutgoingFetch>): Promise<Response> {
    const answer = await outgoingFetch(this.dispatcher)(url, options);
    const text = await answer.text();
    const status = answer.status === 200 && saysError(text) ? 400 : answer.status;
    return new Response(text === '' ? null : text, { status, headers: answer.headers });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

/** Slack and GitHub say what is wrong with the status 200, where the standard has 400. */
function saysError(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { error?: unknown } | null)?.error === 'string';
  } catch {
    return false; // not JSON: the library says so
  }
}

/** The scopes that were not granted; null where the provider does not say what it granted. */
function missingOf({ scopes }: Declared, granted: string | undefined): string[] | null {
  if (granted === undefined) return null;
  const given = new Set(granted.split(/[ ,]+/));
  const missing = scopes.filter((scope) => !given.has(scope));
  return missing.length === 0 ? null : missing;
}

function declined(code: string, fullname: string): string {
  if (code === 'access_denied') return `The access to ${fullname} was declined.`;
  return `${fullname} refused the request (${shown(code)}).`;
}

function notExchanged(code: string, fullname: string): string {
  if (
    ['invalid_grant', 'invalid_code', 'bad_verification_code', 'code_already_used'].includes(code)
  )
    return `The answer of ${fullname} came too late, or was used before. Begin again.`;
  return `${fullname} refused the application of this service (${shown(code)}).`;
}

/** Error codes come from outside: only what looks like one is repeated. */
function shown(code: string): string {
  return /^[\w.-]{1,60}$/.test(code) ? code : 'error';
}
