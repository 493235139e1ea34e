import type { ResponseBodyError } from 'oauth4webapi';
import { type Dispatcher, request as send } from 'undici';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import type { EgressPolicy } from '#egress';
import { readBytes } from './read-body.js';
import { Redactor, formEncode } from './redact.js';

const defaultLifetimeSeconds = 300;
/** Far larger than any token. */
const maxResponseBytes = 262_144;

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
}

export interface AccessToken {
  token: string;
  expiresAt: number;
}

export interface Outgoing {
  dispatcher: Dispatcher;
  policy: Pick<EgressPolicy, 'checkUrl'>;
}

/** Asks for an access token by the client credentials grant (RFC 6749, 4.4). @throws ApiError 502 when there is none */
export async function fetchAccessToken(
  request: ClientTokenRequest,
  outgoing: Outgoing,
  clock: Clock,
  signal: AbortSignal,
): Promise<AccessToken> {
  const url = outgoing.policy.checkUrl(request.tokenUrl);
  const oauth = await import('oauth4webapi'); // Few processes ask for tokens right after their start.
  const server = { issuer: url.origin, token_endpoint: url.href };
  const client = { client_id: request.clientId };
  const authentication =
    request.client === 'body'
      ? oauth.ClientSecretPost(request.clientSecret)
      : oauth.ClientSecretBasic(request.clientSecret);
  const parameters = new URLSearchParams(request.parameters as [string, string][]);
  if (request.scope) parameters.set('scope', request.scope);
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      parameters,
      {
        signal,
        // Whether http is allowed is the egress policy's to say.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (input, init) => fetchBounded(input, init, outgoing.dispatcher),
      },
    );
    const token = await oauth.processClientCredentialsResponse(server, client, response);
    return {
      token: token.access_token,
      expiresAt: clock.now() + (token.expires_in ?? defaultLifetimeSeconds) * 1000,
    };
  } catch (error) {
    if (isEgressRefused(error) || error instanceof ApiError) throw error;
    if (signal.aborted)
      throw new ApiError(504, `${url.origin} gives no access token in time`, { cause: error });
    const body = error instanceof oauth.ResponseBodyError ? error : undefined;
    throw noToken(request, url, error, body);
  }
}

/** The `fetch` of the OAuth library, with a bounded response. It follows no redirect, so that the secret is sent to one address only. */
async function fetchBounded(
  url: string,
  init: { method: string; headers: Record<string, string>; body: unknown; signal?: AbortSignal },
  dispatcher: Dispatcher,
): Promise<Response> {
  const answer = await send(url, {
    dispatcher,
    method: init.method as 'POST',
    headers: init.headers,
    body: String(init.body),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
  const bytes = await readBytes(answer.body, maxResponseBytes);
  return new Response(new Uint8Array(bytes), {
    // The library takes 200 alone, as RFC 6749 says; some vendors create a token, and answer 201.
    status: answer.statusCode === 201 ? 200 : answer.statusCode,
    headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
  });
}

export function isEgressRefused(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'EGRESS_REFUSED';
}

function noToken(
  request: ClientTokenRequest,
  url: URL,
  cause: unknown,
  body: ResponseBodyError | undefined,
): ApiError {
  const redactor = new Redactor();
  redactor.add(request.clientSecret);
  const pair = `${formEncode(request.clientId)}:${formEncode(request.clientSecret)}`;
  redactor.add(Buffer.from(pair).toString('base64'));
  const said =
    body && redactor.text(`${body.error} ${body.error_description ?? ''}`.trim()).slice(0, 500);
  const { isStored, credentialId } = request;
  return new ApiError(
    502,
    `${url.origin} gives no access token for the credential ${isStored ? credentialId : 'in provider_config'}${said ? `: ${said}` : ''}`,
    {
      remediation: 'Check client id, client secret and scope of the credential.',
      context: {
        provider_details: {
          token_url: `${url.origin}${url.pathname}`,
          ...(isStored ? { credential_id: credentialId } : {}),
        },
      },
      cause,
    },
  );
}
