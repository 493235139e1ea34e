import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** More than the bus carries in one message. */
const largeBytes = 600_000;

/** A provider that answers with everything that it was ever sent, in body and header, and with the access tokens that it gave. */
export class EchoingProvider {
  /** Texts that it was sent in places of credentials, as they came and decoded. */
  readonly known = new Set<string>();
  private readonly server: Server;

  /** @param accessToken the token that it gives to every client */
  private constructor(private readonly accessToken: string) {
    this.server = createServer((request, response) => {
      void (async () => {
        this.learn(request, await text(request));
        const { status, body } = this.answer(request);
        const echo = [...this.known].map((one) => encodeURIComponent(one)).join(' ');
        response.writeHead(status, { 'content-type': 'application/json', 'x-echo': echo });
        response.end(body);
      })();
    });
  }

  static async start(accessToken: string): Promise<EchoingProvider> {
    const provider = new EchoingProvider(accessToken);
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private learn({ headers, url = '' }: IncomingMessage, body: string): void {
    const { authorization = '' } = headers;
    const pair = /^Basic (.*)$/.exec(authorization)?.[1] ?? '';
    const key = new URL(url, this.url).searchParams.get('key');
    for (const one of [authorization, Buffer.from(pair, 'base64').toString(), key, body])
      if (one) this.known.add(one);
    for (const name of ['x-key', 'x-amz-security-token']) {
      const value = headers[name];
      if (typeof value === 'string') this.known.add(value);
    }
  }

  private answer({ url = '' }: IncomingMessage): { status: number; body: string } {
    const { pathname } = new URL(url, this.url);
    const echo = this.echo();
    switch (pathname) {
      case '/token':
        return { status: 200, body: JSON.stringify(this.token) };
      case '/no-token':
        return { status: 400, body: JSON.stringify({ error: echo, error_description: echo }) };
      case '/things/forbidden':
        return { status: 403, body: JSON.stringify({ why: echo }) };
      case '/things/failed':
        return { status: 500, body: JSON.stringify({ why: echo }) };
      case '/large':
        return {
          status: 200,
          body: JSON.stringify(echo.repeat(Math.ceil(largeBytes / echo.length))),
        };
      default:
        return { status: 200, body: JSON.stringify({ id: '1', echo }) };
    }
  }

  private get token() {
    return { access_token: this.accessToken, token_type: 'bearer', expires_in: 3_600 };
  }

  /** All that it knows, in the forms in which a system may show it. */
  private echo(): string {
    const forms = [...this.known].flatMap((one) => {
      const bytes = Buffer.from(one);
      const shifted = Buffer.from(`x${one}`);
      return [
        one,
        ...[bytes, shifted].flatMap((each) => [each.toString('base64'), each.toString('hex')]),
      ];
    });
    return forms.join(' ');
  }
}
