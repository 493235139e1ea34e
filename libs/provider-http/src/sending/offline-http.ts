import { type Dispatcher, errors } from 'undici';
import type { Clock } from '#config';
import { EgressPolicy, readDispatch, type Responder, RespondingDispatcher } from '#egress';
import { ProviderHttp } from '../provider-http.js';
import type { TokenSource } from '../credentials/access-tokens.js';
import type { Route } from './route.js';

/** An answer in place of one of the provider. */
export interface OfflineAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/**
 * Answers requests in place of providers.
 * @returns undefined if the provider did not answer @throws ApiError if it is not known what the provider would answer
 */
export type AnswerOffline = (request: {
  method: string;
  url: string;
  body: Uint8Array | undefined;
}) => OfflineAnswer | undefined;

/** Nothing leaves the process, whatever the address. */
const anywhere = new EgressPolicy(['0.0.0.0/0', '::/0']);
const permits = { acquire: () => () => undefined };
/** Tokens and keys that no provider gets. */
const token = 'token-of-a-replay';
const roleKeys = { accessKeyId: token, secretAccessKey: token, sessionToken: token };
const tokens: TokenSource = {
  get: (request) => Promise.resolve('roleArn' in request ? JSON.stringify(roleKeys) : token),
};

/** Sends requests to nobody: each gets the answer of a function. Access tokens are made up. */
export class OfflineHttp extends ProviderHttp {
  private readonly dispatcher: Dispatcher;

  constructor(answer: AnswerOffline, clock: Clock) {
    const dispatcher = new OfflineDispatcher(answer);
    const certificates = { dispatcher: () => dispatcher };
    super({ dispatcher, certificates, policy: anywhere, permits, tokens, clock });
    this.dispatcher = dispatcher;
  }

  /** The requests through a bridge are answered as all others. */
  override routeThrough(): Route {
    return { key: 'offline', dispatcher: this.dispatcher, policy: anywhere };
  }
}

class OfflineDispatcher extends RespondingDispatcher {
  constructor(private readonly answer: AnswerOffline) {
    super();
  }

  protected override async respond(
    options: Dispatcher.DispatchOptions,
    responder: Responder,
  ): Promise<void> {
    const { method, url, body } = await readDispatch(options);
    const answer = this.answer({
      method,
      url,
      body: body instanceof Uint8Array ? body : undefined,
    });
    if (answer === undefined) throw new errors.SocketError('the provider did not answer');
    responder.head(answer.status, answer.headers);
    if (answer.text !== '') responder.data(Buffer.from(answer.text));
    responder.end();
  }
}
