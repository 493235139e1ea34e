import type { FormData } from 'undici';
import type { AnswerKind } from '../document/source.js';
import type { Value } from '#mapping';

/** One call of a provider, ready to be sent. */
export interface ProviderRequest {
  method: string;
  url: URL;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Those of the headers that hold a secret, which stays at its origin. */
  secretHeaders: readonly string[];
  body?: string | Uint8Array | FormData;
  answer: AnswerKind;
  /** Statuses that are an answer too, beside 2xx. */
  accept: ReadonlySet<number>;
  /** May be sent twice without harm. */
  repeatable: boolean;
}

/** What a provider answered, read whole. */
export interface ProviderAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Value;
  /** The answer as it came, as text; of binary answers only their size. */
  text: string;
}
