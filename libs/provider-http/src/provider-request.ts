import type { Readable } from 'node:stream';
import type { FormData } from 'undici';
import type { Value } from '#mapping';
import type { FileBody } from './file-body.js';

/** How a response body is read. */
export type ResponseKind = 'json' | 'text' | 'ndjson' | 'binary' | 'stream' | 'none';

/** One call of a provider, ready to be sent. */
export interface ProviderRequest {
  method: string;
  url: URL;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Those of the headers that hold a secret, which stays at its origin. */
  secretHeaders: readonly string[];
  body?: string | Uint8Array | FormData | FileBody;
  answer: ResponseKind;
  /** Statuses that are an answer too, beside 2xx. */
  accept: ReadonlySet<number>;
  /** May be sent twice without harm. */
  repeatable: boolean;
}

/** What a provider answered, read whole but for streams. */
export interface ProviderResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Value;
  /** The answer as it came, as text; of binary answers only their size, of streams nothing. */
  text: string;
}

/** An answer whose body is not read yet, where it is to be handed on as it comes. */
export interface UnreadResponse extends ProviderResponse {
  stream?: Readable;
}

/** An answer for whoever asked; a body that is handed on is read by him. */
export interface SentResponse extends ProviderResponse {
  stream?: AsyncIterableIterator<Uint8Array>;
}
