import { Agent, request as send } from 'undici';
import { Engine } from './engine.js';
import type { Exchange, TheirResponse } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { readBody, writeBody } from './message.js';
import { type Arrived, type Given, ProviderServer } from './provider-server.js';
import type { Scrubber } from './scrubber.js';

/** What a fixture keeps of an answer's headers, beside those that tell of limits. */
const keptHeaders = ['content-type', 'link', 'location', 'retry-after'];
const limitHeaders = /^x-(ratelimit|accepted)/;

/** Passes every call of the engine on to the live address, and remembers both sides without what is secret. */
export class Recorder {
  exchanges: Exchange[] = [];
  /** Answers the next call in the provider's place. */
  instead: TheirResponse | undefined;
  private failure: unknown;
  private server!: ProviderServer;
  private readonly agent = new Agent();

  private constructor(
    private readonly folder: ProviderFolder,
    readonly scrubber: Scrubber,
  ) {}

  static async start(folder: ProviderFolder, scrubber: Scrubber): Promise<Recorder> {
    const recorder = new Recorder(folder, scrubber);
    recorder.server = await ProviderServer.start(
      (arrived) => recorder.answer(arrived),
      (text) => scrubber.text(text),
    );
    return recorder;
  }

  /** A process that calls the live address. @param credential other secrets than the configuration's */
  engine(
    at: number,
    more: { credential?: Record<string, string>; pageSize?: number | undefined } = {},
  ): Engine {
    for (const secret of Object.values(more.credential ?? {})) this.scrubber.addSecret(secret);
    return new Engine({
      folder: this.folder,
      configuration: this.scrubber.recording(more.credential),
      detour: this.server.url,
      at,
      pageSize: more.pageSize,
    });
  }

  /** What was recorded since the last time. @throws what kept the live address from being called */
  take(): Exchange[] {
    const { exchanges, failure } = this;
    this.exchanges = [];
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return exchanges;
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
    await this.server.stop();
  }

  private async answer(arrived: Arrived): Promise<Given> {
    const { shown } = arrived;
    const place = this.exchanges.push({ request: shown, response: { status: 0 } }) - 1;
    const { instead } = this;
    this.instead = undefined;
    try {
      const response = instead ?? (await this.ask(arrived));
      this.exchanges[place] = {
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

  private async ask({ method, url, headers, bytes }: Arrived): Promise<TheirResponse> {
    const { scrubber } = this;
    const { host: _host, connection: _connection, ...sent } = headers;
    const { 'content-length': _size, 'transfer-encoding': _chunks, ...rest } = sent;
    const text = bytes.toString();
    const isText = Buffer.from(text).equals(bytes);
    const answer = await send(scrubber.liveText(url.href), {
      dispatcher: this.agent,
      method: method as 'GET',
      headers: rest,
      body: bytes.length === 0 ? null : isText ? scrubber.liveText(text) : bytes,
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    const kept = Object.entries(answer.headers)
      .filter(([name]) => keptHeaders.includes(name) || limitHeaders.test(name))
      .map(([name, value]) => [name, scrubber.text(String(value))]);
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(kept) as Record<string, string>,
      ...readBody(body, String(answer.headers['content-type'] ?? ''), (one) => scrubber.text(one)),
    };
  }
}
