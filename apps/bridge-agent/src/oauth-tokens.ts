import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeFailure, type SecretUse } from '#bridge';
import { basicAuthorization, readRefusal, readTokenAnswer } from '#oauth';
import type { Masker } from './masker.js';

type TokenUse = Extract<SecretUse, { send: 'client_credentials' }>;

/** A token is fetched again this long before it expires. */
const earlierMs = 60_000;
const defaultLifetimeSeconds = 300;
const maxTokens = 1_000;
const maxAttempts = 3;
const backoffMs = 300;

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
) => Promise<{ status: number; text: string }>;

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
    const form = new URLSearchParams(parameters);
    form.set('grant_type', 'client_credentials');
    if (scope !== '') form.set('scope', scope);
    const headers: Record<string, string> = {
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      accept: 'application/json',
    };
    if (client.send === 'body') {
      form.set('client_id', client.id);
      form.set('client_secret', client.secret);
    } else {
      const header = basicAuthorization(client.id, client.secret);
      this.masker.addMade(header.slice('Basic '.length));
      headers['authorization'] = header;
    }
    const { status, text } = await this.sendOften(url, headers, form.toString(), signal);
    const token = status < 300 ? readTokenAnswer(text) : undefined;
    if (token !== undefined) {
      const { accessToken, expiresInSeconds = defaultLifetimeSeconds } = token;
      return { token: accessToken, expiresAt: Date.now() + expiresInSeconds * 1_000 };
    }
    const { words = `status ${status}` } = readRefusal(text, (words) => this.masker.text(words));
    const message = `${url.origin} gives the bridge agent no access token for the secret "${secret}": ${words}`;
    throw new BridgeFailure('secret', this.masker.text(message), false);
  }

  /** A token endpoint that fails for a moment does not fail the request that needs the token. */
  private async sendOften(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.send(url, headers, body, signal);
      const isPassing = answer.status === 429 || answer.status >= 500;
      if (!isPassing || attempt === maxAttempts) return answer;
      await sleep(backoffMs * attempt, undefined, { signal });
    }
  }
}
