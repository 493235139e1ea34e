import type { Redactor } from './redact.js';

/** The facts about a call that its failure can show. */
export interface FailedCall {
  provider: string;
  method: string;
  /** Without the query, which may hold secrets. Read only where the call is shown: to remove secrets takes time. */
  readonly address: string;
  /** Undefined if the call has no credential that is stored. */
  credentialId: string | undefined;
  /** The permission at the provider that the operation needs. */
  needs: string | undefined;
  redactor: Redactor;
}
