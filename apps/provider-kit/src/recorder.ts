import { Agent, request as send } from 'undici';
import { createDispatcher } from '#egress';
import type { ClientCertificate } from '#provider-http';
import { Engine } from './engine.js';
import type { Exchange, TheirResponse } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { readBody, writeBody } from './message.js';
import { RecordFailed } from './plan.js';
import { type Arrived, type Given, ProviderServer } from './provider-server.js';
import type { Scrubber } from './scrubber.js';
import { signAgain } from './sign-again.js';
import { anywhere, fixedToken, LiveTokens } from './tokens.js';

/** Response headers that a fixture keeps, beside those of limits. */
const keptHeaders = ['content-disposition', 'content-type', 'link', 'location', 'retry-after'];
const limitHeaders = /^x-(ratelimit|accepted)/;
/** Status of an exchange whose response has not come. */
export const unanswered = 0;
const wrong = 'not-the-secret';
/** Wrong secrets for each kind of credential. */
const wrongSecrets = { secret: wrong, client_secret: wrong, secret_access_key: wrong };

/** Forwards every call of the engine to the live address, and records both sides without secrets. */
export class Recorder {
  exchanges: Exchange[] = [];
  /** Called with the number of each call before it is sent; may answer in place of the provider. */
  before: ((number: number) => Promise<TheirResponse | undefined>) | undefined;
  private failure: unknown;
  private server!: ProviderServer;
  private readonly agent = new Agent();
  /** Connections for client certificates, by the names that calls have for them. */
  private readonly pools = new Map<string, Agent>();
  private readonly tokens: LiveTokens;
  /** Secrets of the engine whose call is running. */
  private current: Record<string, unknown> = {};

  private constructor(
    private readonly folder: ProviderFolder,
    readonly scrubber: Scrubber,
  ) {
    this.tokens = new LiveTokens(scrubber);
  }

  static async start(folder: ProviderFolder, scrubber: Scrubber): Promise<Recorder> {
    const recorder = new Recorder(folder, scrubber);
    recorder.server = await ProviderServer.start(
      (arrived) => recorder.answer(arrived),
      (text) => scrubber.text(text),
      (headers) => scrubber.addHeaders(headers),
    );
    return recorder;
  }

  /**
   * Creates a process that calls the live address.
   * @param credential other secrets than the configuration's, or wrong ones
   */
  engine(
    at: number,
    more: { credential?: Record<string, string> | 'wrong'; pageSize?: number | undefined } = {},
  ): Engine {
    const isWrong = more.credential === 'wrong';
    const credential = more.credential === 'wrong' ? wrongSecrets : more.credential;
    for (const secret of Object.values(credential ?? {})) this.scrubber.addSecret(secret);
    this.current = this.scrubber.recording(credential);
    return new Engine({
      folder: this.folder,
      configuration: this.current,
      detour: this.server.url,
      at,
      pageSize: more.pageSize,
      tokens: isWrong ? fixedToken(wrong) : this.tokens,
      onCertificate: (one) => this.present(one, isWrong),
    });
  }

  /** Opens connections for a client certificate. @param isWrong leaves it out, because there is no wrong private key */
  private present(of: ClientCertificate, isWrong: boolean): string {
    const name = `${of.credentialId}${isWrong ? ' left out' : ''}`;
    const { certificate, privateKey, authority } = of;
    if (!this.pools.has(name))
      this.pools.set(
        name,
        createDispatcher(anywhere, {
          ...(authority === undefined ? {} : { certificateAuthority: authority }),
          ...(isWrong ? {} : { clientCertificate: { certificate, privateKey } }),
        }),
      );
    return name;
  }

  /** Returns the exchanges since the last call. @throws the error of a call that did not reach the live address */
  take(): Exchange[] {
    const { exchanges, failure } = this;
    this.exchanges = [];
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return exchanges;
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
    for (const pool of this.pools.values()) await pool.destroy();
    await this.tokens.close();
    await this.server.stop();
  }

  private async answer(arrived: Arrived): Promise<Given> {
    const { shown } = arrived;
    // One that is answered after its call has ended belongs to that call.
    const { exchanges } = this;
    const place = exchanges.push({ request: shown, response: { status: unanswered } }) - 1;
    try {
      const instead = await this.before?.(place + 1);
      const response = instead ?? (await this.ask(arrived));
      exchanges[place] = {
        request: shown,
        response,
        ...(instead === undefined ? {} : { from_documentation: true }),
      };
      return {
        status: response.status,
        headers: response.headers ?? {},
        bytes: writeBody(response),
      };
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  private async ask({ method, url, headers, bytes, certificate }: Arrived): Promise<TheirResponse> {
    const { scrubber } = this;
    const { host: _host, connection: _connection, ...sent } = headers;
    const { 'content-length': _size, 'transfer-encoding': _chunks, ...rest } = sent;
    const isJson = /json/.test(headers['content-type'] ?? '');
    const text = bytes.toString();
    const isText = Buffer.from(text).equals(bytes);
    const request = {
      method,
      url: scrubber.liveText(url.href, 'url'),
      headers: Object.fromEntries(
        Object.entries(rest).map(([name, value]) => [name, scrubber.liveText(value)]),
      ),
      body:
        bytes.length === 0
          ? null
          : isText
            ? scrubber.liveText(text, isJson ? 'json' : bodyForm(headers))
            : bytes,
    };
    const answer = await send(request.url, {
      dispatcher: this.pools.get(certificate ?? '') ?? this.agent,
      ...request,
      method: method as 'GET',
      headers: await signAgain(request, this.current),
    }).catch((error: unknown) => {
      const { origin } = new URL(request.url);
      throw new RecordFailed(
        `${origin} cannot be reached: ${String(error)}; is it the address of the configuration, and is the system up?`,
        { cause: error },
      );
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    const kept = Object.entries(answer.headers)
      .filter(([name]) => keptHeaders.includes(name) || limitHeaders.test(name))
      .map(([name, value]) => [name, scrubber.answer(String(value))]);
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(kept) as Record<string, string>,
      ...readBody(body, String(answer.headers['content-type'] ?? ''), (one) =>
        scrubber.answer(one),
      ),
    };
  }
}

function bodyForm(headers: Readonly<Record<string, string>>): 'url' | 'text' {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? 'url' : 'text';
}
