import type { Clock } from '#config';
import { fetchToken, type TokenRequest, type TokenSource } from '#provider-http';

/** A token is fetched again this long before it expires. */
const earlierMs = 60_000;

/** Access tokens of one mock integration. They are signed by its fake and cost no call over a network, so no other process needs to know them. */
export class MockTokens implements TokenSource {
  private readonly known = new Map<string, { token: string; expiresAt: number }>();

  constructor(
    private readonly outgoing: Parameters<typeof fetchToken>[1],
    private readonly clock: Clock,
  ) {}

  async get(
    request: TokenRequest,
    stale: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    // A document has a handful of scopes and token addresses.
    const key = JSON.stringify(request);
    const known = this.known.get(key);
    if (known && known.token !== stale && known.expiresAt - earlierMs > this.clock.now())
      return known.token;
    const made = await fetchToken(request, this.outgoing, this.clock, signal);
    this.known.set(key, made);
    return made.token;
  }
}
