import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Service that a scaffolded document describes: one list, which needs a token. */
export class ExampleService {
  readonly secret = 'secret-of-the-example';
  /** Token without any permission. */
  readonly weakSecret = 'weak-secret-of-the-example';
  private failing: number | undefined;
  private readonly server: Server;

  private constructor(private readonly path: string) {
    this.server = createServer((request, response) => {
      const [status, body] = this.answer(request.url ?? '', request.headers.authorization ?? '');
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 429 ? { 'retry-after': '900' } : {}),
      });
      response.end(JSON.stringify(body));
    });
  }

  static async start(path: string): Promise<ExampleService> {
    const service = new ExampleService(path);
    await new Promise<void>((done) => service.server.listen(0, '127.0.0.1', done));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  failNext(status: number): Promise<void> {
    this.failing = status;
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(url: string, authorization: string): [status: number, body: unknown] {
    const { failing } = this;
    this.failing = undefined;
    if (failing !== undefined) return [failing, { message: `the example fails with ${failing}` }];
    if (authorization === `Bearer ${this.weakSecret}`) return [403, { message: 'not for you' }];
    if (authorization !== `Bearer ${this.secret}`) return [401, { message: 'who are you?' }];
    if (!url.startsWith(this.path)) return [404, { message: `${url} does not exist` }];
    return [200, ['1', '2'].map((id) => ({ id, name: `Example ${id}` }))];
  }
}
