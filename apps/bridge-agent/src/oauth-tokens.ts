import { BridgeFailure, type SecretUse } from '#bridge';
import type { Masker } from './masker.js';

type TokenUse = Extract<SecretUse, { send: 'client_credentials' }>;

/** A token is fetched again this long before it expires. */
const earlierMs = 60_000;
const defaultLifetimeSeconds = 300;
const maxTokens = 1_000;

/** A request of the client credentials grant (RFC 6749, 4.4). */
export interface Grant {
  url: URL;
  client: { id: string; secret: string; send: 'basic' | 'body' };
  scope: string;
  parameters: [string, string][];
}

/** Sends a request for a token within the policy of the agent. @throws BridgeFailure */
export type SendTokenRequest = (
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
) => Promise<Response>;

/** Access tokens that the agent fetched. They never leave it but for the host that they are for. */
export class OauthTokens {
  private readonly known = new Map<string, { token: string; expiresAt: number }>();

  constructor(
    private readonly masker: Masker,
    private readonly send: SendTokenRequest,
  ) {}

  /** @throws BridgeFailure if there is none */
  async get(use: TokenUse, grant: Grant, signal: AbortSignal): Promise<string> {
    const key = JSON.stringify(use);
    const found = this.known.get(key);
    if (found !== undefined && found.expiresAt - earlierMs > Date.now()) return found.token;
    const made = await this.fetch(use.secret, grant, signal);
    this.masker.addMade(made.token, made.expiresAt);
    if (this.known.size >= maxTokens) this.known.clear();
    this.known.set(key, made);
    return made.token;
  }

  forget(use: SecretUse): void {
    this.known.delete(JSON.stringify(use));
  }

  private async fetch(
    secret: string,
    { url, client, scope, parameters }: Grant,
    signal: AbortSignal,
  ): Promise<{ token: string; expiresAt: number }> {
    const oauth = await import('oauth4webapi');
    const server = { issuer: url.origin, token_endpoint: url.href };
    const form = new URLSearchParams(parameters);
    if (scope !== '') form.set('scope', scope);
    const proof =
      client.send === 'body'
        ? oauth.ClientSecretPost(client.secret)
        : oauth.ClientSecretBasic(client.secret);
    const id = { client_id: client.id };
    try {
      const response = await oauth.clientCredentialsGrantRequest(server, id, proof, form, {
        signal,
        // Whether http is allowed is for the policy of the agent to say.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (_url, init) => {
          const pair = /^Basic (.+)$/.exec(init.headers['authorization'] ?? '')?.[1];
          if (pair !== undefined) this.masker.addMade(pair);
          return this.send(url, init.headers, String(init.body), signal);
        },
      });
      const token = await oauth.processClientCredentialsResponse(server, id, response);
      const lifetime = token.expires_in ?? defaultLifetimeSeconds;
      return { token: token.access_token, expiresAt: Date.now() + lifetime * 1_000 };
    } catch (error) {
      if (error instanceof BridgeFailure) throw error;
      const said = error instanceof oauth.ResponseBodyError ? `: ${error.error}` : '';
      const message = `${url.origin} gives the bridge agent no access token for the secret "${secret}"${said}`;
      throw new BridgeFailure('secret', message, false);
    }
  }
}
