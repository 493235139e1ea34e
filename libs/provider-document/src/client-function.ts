import type { Value } from '#mapping';
import type { ResponseKind, Encoding, Method } from './source.js';

/**
 * A function of a vendor's `client.ts`: what a step does that a document cannot say, such as signing an upload or reading a binary
 * protocol. Its result is the step's.
 */
export type ClientFunction = (call: ClientCall) => Promise<Value>;

/** The functions of a vendor by their names, as `client.ts` exports them. */
export type ClientFunctions = Readonly<Record<string, ClientFunction>>;

/** What a function works with. */
export interface ClientCall {
  /** What the step's `body` makes; undefined where it has none. */
  readonly input: Value;
  /** What the expressions of the step see as `this`. */
  readonly context: Readonly<Record<string, Value>>;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /**
   * Sends a request as steps do: with the credential, below the base URL, within limits, retries and deadline, through the egress policy,
   * redacted and recorded.
   */
  readonly send: (request: ClientRequest) => Promise<ClientResponse>;
  /** The fields of a credential, for signing; callers and logs see none of them. The first of the document when no slot is named. */
  readonly credential: (slot?: string) => Readonly<Record<string, unknown>> | undefined;
  /** Keeps a derived secret, such as a signature, from what callers and logs see. */
  readonly hide: (secret: string) => void;
}

/** A request, with a path below the base URL or an absolute address that the provider has given. */
export type ClientRequest = ({ path: string; url?: never } | { url: string; path?: never }) & {
  method?: Method;
  query?: Readonly<Record<string, Value>>;
  headers?: Readonly<Record<string, string>>;
  body?: Value;
  encoding?: Exclude<Encoding, 'stream' | 'multipart'>;
  answer?: Exclude<ResponseKind, 'stream'>;
  /** Statuses that are a response too, beside 2xx. */
  accept?: readonly number[];
  /** May be sent twice without harm; of POST and PATCH that is not assumed. */
  repeatable?: boolean;
  /** The credential that goes with it, where the document has several. */
  credential?: string;
  /** Sent without a credential. */
  anonymous?: boolean;
};

export interface ClientResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Value;
}
