import type { Agent, Dispatcher } from 'undici';
// The index of undici loads its fetch, mocks and caches, and by them the copy of undici in Node: 14 MB that an agent does not use.
import UndiciAgent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import sendRequest from 'undici/lib/api/api-request.js';

/** Client that a pool goes on using after a request with an invalid header, as in libs/egress, which an agent does not load. */
class ReusableClient extends Client {
  override dispatch(...request: Parameters<Client['dispatch']>): boolean {
    return super.dispatch(...request) || this.stats.size === 0;
  }
}

/** Sends HTTP requests over connections that it keeps. It follows no redirects. */
export class HttpClient {
  private readonly dispatcher: Agent;

  constructor(options: Agent.Options) {
    this.dispatcher = new UndiciAgent({
      ...options,
      factory: (origin, pool) =>
        new Pool(origin, {
          ...pool,
          factory: (host: URL, own: object) => new ReusableClient(host, own),
        }),
    });
  }

  send(
    { origin, pathname, search }: URL,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
  ): Promise<Dispatcher.ResponseData> {
    const path = `${pathname}${search}`;
    return sendRequest.call(this.dispatcher, { ...options, origin, path });
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }
}
