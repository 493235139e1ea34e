import type { OperationId } from '#contract';
import type { Framing } from './framing.js';
import type { Header } from './headers.js';

/** Whose token a request carries. */
export type Caller = 'administrator' | 'session' | 'integration' | 'nobody' | 'stranger';

/**
 * One request of the fuzz. Values of the service under test stand in it as `{{ticketId}}`, so that it is the same in each run;
 * `{{ticketId<5}}` is such a value cut to five characters, `{{ticketId~5}}` one with the fifth changed.
 */
export interface Attack {
  /** `sign_on` for the addresses of single sign-on, which are not in the contract. */
  operation: OperationId | 'sign_on';
  caller: Caller;
  method: string;
  path: string;
  /** `name=value` as it goes over the wire. */
  query: readonly string[];
  headers: readonly Header[];
  /** One character is one byte. */
  body?: string;
  framing: Framing;
}
