import type { Readable } from 'node:stream';
import type { FormData } from 'undici';
import type { SecretUse } from '#bridge';
import type { Value } from '@onefold/mapping';
import type { FailedCall } from './failed-call.js';
import type { FileBody } from './bodies/file-body.js';
import type { WrittenBody } from './bodies/write-body.js';

/** How a response body is read. */
export type ResponseKind = 'json' | 'text' | 'ndjson' | 'binary' | 'stream' | 'none';

/** A request to a provider, ready to be sent. */
export interface ProviderRequest {
  method: string;
  url: URL;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Names of the headers that contain a secret; they are not sent to other origins. */
  secretHeaders: readonly string[];
  /** Secrets that the agents of a bridge put into the request. No header carries it, because documents and configurations write headers. */
  secretUses?: readonly SecretUse[];
  body?: string | Uint8Array | FormData | FileBody;
  /** Writes the body anew with what is put into its value; absent if it has no value, as a file. */
  writeBody?: (put: (value: Value) => Value) => WrittenBody;
  answer: ResponseKind;
  /** Statuses that are a success, in addition to 2xx. */
  accept: ReadonlySet<number>;
  /** True if sending the request twice does no harm. */
  repeatable: boolean;
}

/** A response of a provider. Its body is read, except of streams. */
export interface ProviderResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Value;
  /** The response as text; for binary responses their size, for streams a placeholder. */
  text: string;
  /** The call that it answers, for problems that are found in it later. */
  call?: FailedCall;
}

/** A response whose body, if it is a stream, has not been read yet. */
export interface UnreadResponse extends ProviderResponse {
  stream?: Readable;
  /** The size of its body, unless it is a stream. */
  bytes?: number;
}

/** A response for the caller of ProviderHttp, who reads the stream. */
export interface SentResponse extends ProviderResponse {
  stream?: AsyncIterableIterator<Uint8Array>;
}
