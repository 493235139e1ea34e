import type { OperationId } from '#contract';
import type { Framing } from './framing.js';
import type { Header } from './headers.js';

/** Owner of the token of a request. */
export type Caller = 'administrator' | 'session' | 'integration' | 'nobody' | 'stranger';

/**
 * A request of the fuzzer. Values of the service under test are placeholders such as `{{ticketId}}`, so that it is the
 * same in each run; `{{ticketId<5}}` is the value cut to five characters, `{{ticketId~5}}` the value with the fifth
 * changed.
 */
export interface Attack {
  /** `sign_on` for addresses of single sign-on, which are not in the contract. */
  operation: OperationId | 'sign_on';
  caller: Caller;
  method: string;
  path: string;
  /** `name=value`, as sent. */
  query: readonly string[];
  headers: readonly Header[];
  /** One character is one byte. */
  body?: string;
  framing: Framing;
}
