import type { Value } from '@onefold/mapping';
import type { ResponseKind, Encoding, Method } from './source.js';

/**
 * A function of a vendor's `client.ts`: does what a document cannot express, such as signing an upload or reading a binary protocol. Its result is
 * the result of the step.
 */
export type ClientFunction = (call: ClientCall) => Promise<Value>;

/** The functions of a vendor by their names, as `client.ts` exports them. */
export type ClientFunctions = Readonly<Record<string, ClientFunction>>;

/** The argument of a function. */
export interface ClientCall {
  /** The value of the step's `body`; undefined if it has none. */
  readonly input: Value;
  /** The value of `this` in the expressions of the step. */
  readonly context: Readonly<Record<string, Value>>;
  /** Identifies the records of a create, where the caller names them: the same records may come again under it. */
  readonly batchId?: string | undefined;
  /** Aborts when the result is not needed any more. */
  readonly signal: AbortSignal;
  /** The uploaded file, for a step with `encoding: stream`. It has to be read to its end. */
  readonly file?: ClientFile | undefined;
  /**
   * Sends a request as steps do: with the credential, below the base URL, within limits, retries and deadline, through the egress policy,
   * redacted and recorded.
   */
  readonly send: (request: ClientRequest) => Promise<ClientResponse>;
  /** Returns the fields of a credential, for signing; they are hidden from callers and logs. Default: the first slot of the document. */
  readonly credential: (slot?: string) => Readonly<Record<string, unknown>> | undefined;
  /** Hides a derived secret, such as a signature, from callers and logs. */
  readonly hide: (secret: string) => void;
}

/** The file of an upload, as a function gets it. */
export interface ClientFile {
  /** Media type as the caller declares it. */
  readonly type: string;
  /** Size in bytes; undefined if the caller did not declare it. */
  readonly size: number | undefined;
  /** Reads the file as it arrives, once. @throws ApiError 400 and 413 for errors of the upload */
  chunks(): AsyncIterable<Uint8Array>;
}

/** A request, with a path below the base URL or an absolute address that the provider returned. */
export type ClientRequest = ({ path: string; url?: never } | { url: string; path?: never }) & {
  method?: Method;
  query?: Readonly<Record<string, Value>>;
  headers?: Readonly<Record<string, string>>;
  body?: Value;
  encoding?: Exclude<Encoding, 'stream' | 'multipart'>;
  answer?: Exclude<ResponseKind, 'stream'>;
  /** Statuses that are a success, in addition to 2xx. */
  accept?: readonly number[];
  /** True if sending it twice does no harm; false by default for POST and PATCH. */
  repeatable?: boolean;
  /** Seconds that the request may take, instead of `http.timeout`. */
  timeout?: number;
  /** The credential to send, if the document has several. */
  credential?: string;
  /** Sent without a credential. */
  anonymous?: boolean;
  /** Undoes what the function has begun: sent within ten seconds, even after the signal has aborted or the deadline has passed. */
  cleanUp?: boolean;
};

export interface ClientResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Value;
}
