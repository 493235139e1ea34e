import { Agent } from 'undici';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import { EgressPolicy } from '#egress';
import { fetchToken, type TokenRequest, type TokenSource } from '#provider-http';
import type { Scrubber } from './scrubber.js';

/** The kit may call any address: a person runs it on their own machine. */
export const anywhere = new EgressPolicy(['0.0.0.0/0', '::/0']);

/** Access tokens of the live system. Requests for them bypass the recorder, and are in no fixture. */
export class LiveTokens implements TokenSource {
  private readonly known = new Map<string, string>();
  private readonly agent = new Agent();

  constructor(private readonly scrubber: Scrubber) {}

  async get(
    request: TokenRequest,
    stale: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const { scrubber, agent: dispatcher } = this;
    if ('roleArn' in request)
      throw new ApiError(501, 'the kit cannot assume AWS roles', {
        remediation:
          'Assume the role yourself (aws sts assume-role), and give its keys as a credential of type aws with session.',
      });
    const { tokenUrl, clientId, clientSecret, scope, parameters } = request;
    const key = JSON.stringify([tokenUrl, clientId, clientSecret, scope, parameters]);
    const found = this.known.get(key);
    if (found !== undefined && found !== stale) return found;
    const live = {
      ...request,
      tokenUrl: scrubber.liveText(tokenUrl),
      parameters: parameters.map(([name, value]) => [name, scrubber.liveText(value)] as const),
    } as TokenRequest;
    const outgoing = { dispatcher, policy: anywhere };
    const { token } = await fetchToken(live, outgoing, systemClock, signal);
    scrubber.addSecret(token);
    this.known.set(key, token);
    return token;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

/** Returns the same token for everybody, without a request. */
export function fixedToken(token: string): TokenSource {
  return { get: () => Promise.resolve(token) };
}
