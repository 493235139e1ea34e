import { systemClock } from '#config';
import type { Provider } from '#connect';
import { NoPauses } from '#egress';
import { FakeDispatcher, type FakeRequest, type FakeResponse } from '#fakes';
import type { ClientFunctions } from '#provider-document';
import { fixedToken } from '../tokens.js';
import { type KeyedResponse, keyOf } from './over-fake.js';
import { type Json, OverProvider } from './over-provider.js';

/** Takes the place of the vendor. */
export type Respond = (request: FakeRequest) => Promise<FakeResponse>;

export interface OverAnswersOptions {
  respond: Respond;
  /** Those of the vendor's client.ts. */
  functions?: ClientFunctions;
  /** The providers of the folder, if they are not to be compiled from its document. */
  providers?: readonly Provider[];
  /** Time of the recording, in epoch milliseconds; the current one when absent. */
  at?: number;
}

/** The document of a vendor over answers that were recorded. Records are served as a customer gets them: what breaks the contract is moved and named. */
export class OverAnswers extends OverProvider {
  /** Answers instead, with the number of the request since `answered` was set. */
  answer: ((key: string, index: number) => FakeResponse | undefined) | undefined;
  /** Collects the requests and their answers, where a check has set it. */
  answered: KeyedResponse[] | undefined;

  /**
   * @param type id of the provider
   * @param config `provider_config`, with the secrets of its credentials
   */
  constructor(
    folder: URL,
    type: string,
    config: Json,
    { respond, functions, providers, at }: OverAnswersOptions,
  ) {
    const handle: Respond = async (request) => {
      const key = keyOf(request);
      const response = this.answer?.(key, this.answered?.length ?? 0) ?? (await respond(request));
      this.answered?.push({ key, response });
      return response;
    };
    super({
      folder,
      type,
      functions,
      providers,
      strict: false,
      callMs: 60_000,
      dispatcher: new FakeDispatcher({ handle }),
      policy: { checkUrl: (text: string) => new URL(text) } as never,
      clock: at === undefined ? systemClock : { now: () => at },
      pauses: new NoPauses(() => undefined),
      tokens: () => fixedToken('token of a recording'),
    });
    this.configure(config);
  }

  protected faultsOf(): string[] {
    return [];
  }
}
