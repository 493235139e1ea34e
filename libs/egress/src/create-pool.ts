import { Client, Pool } from 'undici';

/**
 * Client of a pool that stays in use after a request that it refuses. A pool takes `false` for a client that is full until it drains, and
 * undici returns it for a request with an invalid header, too, behind which nothing drains: each would take a connection from all others.
 */
class ReusableClient extends Client {
  override dispatch(...request: Parameters<Client['dispatch']>): boolean {
    return super.dispatch(...request) || this.stats.size === 0;
  }
}

/** Creates the connections to one host. */
export function createPool(origin: string | URL, options: object): Pool {
  return new Pool(origin, {
    ...options,
    factory: (host: URL, own: object) => new ReusableClient(host, own),
  });
}
