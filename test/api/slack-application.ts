import { createHash } from 'node:crypto';
import { FakeClock, FakeEngine, FakeServer, MemoryStorage, readFakeFile } from '#fakes';
import { Receiver } from '#test/harness';

interface Decision {
  principal: string;
  challenge: string;
  redirectUri: string;
  scopes: string;
}

/**
 * Slack with an application of the host: its fake, and in front of it the page where people decide and the exchange of the code, which
 * answers as the vendor's documentation says: a refusal has the status 200, and the kind of the token is bot.
 */
export class SlackApplication {
  static readonly client = { id: '4711.0815', secret: 'the secret of the application' };
  /** Bodies of the token requests. */
  readonly exchanges: string[] = [];
  /** The scopes that the person grants; all that are asked for when absent. */
  granted: string | undefined;
  /** Fields beside those of a token that never expires. */
  more: object = {};
  private readonly decisions = new Map<string, Decision>();

  private constructor(
    private readonly receiver: Receiver,
    private readonly fake: FakeServer,
    fakeUrl: string,
    readonly token: string,
  ) {
    receiver.answer = ({ path, headers, body }, response) => {
      const say = (answer: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      if (path === '/api/oauth.v2.access') say(this.exchange(headers['authorization'] ?? '', body));
      else
        void fetch(`${fakeUrl}${path}`, {
          headers: { authorization: headers['authorization'] ?? '' },
        }).then(async (answer) => say((await answer.json()) as object));
    };
  }

  static async start(): Promise<SlackApplication> {
    const clock = new FakeClock();
    const make = () =>
      new FakeEngine(
        readFakeFile(new URL('../../libs/providers/slack/fake.yaml', import.meta.url)),
        {
          ...{ storage: new MemoryStorage(), clock: clock.now, start: new Date() },
          ...{ dataset: 'BASIC', key: 'specs' },
        },
      );
    const fake = { clock, engine: make(), reset: () => undefined };
    const server = new FakeServer(fake);
    const bot = fake.engine.credentials().find(({ principal }) => principal === 'bot');
    const url = await server.listen(0);
    return new SlackApplication(await Receiver.start(), server, url, bot?.secret ?? '');
  }

  get url(): string {
    return this.receiver.url.replace(/\/$/, '');
  }

  /** Decides on the page as a person does. @returns the address that the browser is sent back to */
  allow(page: string): string {
    const asked = new URL(page).searchParams;
    const code = `code-${this.decisions.size}`;
    const scopes = asked.get('scope') ?? '';
    const redirectUri = asked.get('redirect_uri') ?? '';
    const challenge = asked.get('code_challenge') ?? '';
    this.decisions.set(code, { principal: 'bot', challenge, redirectUri, scopes });
    return back(redirectUri, { code, state: asked.get('state') ?? '' });
  }

  decline(page: string): string {
    const asked = new URL(page).searchParams;
    return back(asked.get('redirect_uri') ?? '', {
      error: 'access_denied',
      state: asked.get('state') ?? '',
    });
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.fake.close();
  }

  private exchange(authorization: string, body: string): object {
    this.exchanges.push(body);
    const form = new URLSearchParams(body);
    const { id, secret } = SlackApplication.client;
    const pair = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    const [name, password] = pair
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (name !== id || password !== secret) return { ok: false, error: 'bad_client_secret' };
    const code = form.get('code') ?? '';
    const decision = this.decisions.get(code);
    this.decisions.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (decision?.challenge !== proof) return { ok: false, error: 'invalid_code' };
    if (decision.redirectUri !== form.get('redirect_uri'))
      return { ok: false, error: 'bad_redirect_uri' };
    const scope = this.granted ?? decision.scopes;
    return { ok: true, access_token: this.token, token_type: 'bot', scope, ...this.more };
  }
}

function back(redirectUri: string, answer: Record<string, string>): string {
  return `${redirectUri}?${new URLSearchParams(answer).toString()}`;
}
