import type { Transaction } from '#store';

/** What happened that matters to security, beside the call in which it did. */
export type SecurityEvent =
  | 'logon_failed'
  | 'member_locked'
  | 'permission_denied'
  | 'refresh_secret_reused'
  | 'secret_read'
  | 'sso_refused'
  | 'token_refused';

/** What is known of an event; what is left out is taken from the call in which it happened. */
export interface EventDetails {
  /** The organization it concerns, where the call has no caller whose organization that is. */
  organizationId?: string | undefined;
  memberId?: string | undefined;
  accountId?: string | undefined;
  integrationId?: string | undefined;
  bridgeGroupId?: string | undefined;
  /** One sentence. */
  message?: string;
  /** Identifiers and numbers; never a payload, never a secret. */
  data?: Readonly<Record<string, unknown>>;
}

/** What came over HTTP outside of the operations of the API, such as a step of a sign-on. */
export interface Visit {
  requestId: string;
  method: string;
  path: string;
  remoteAddress: string;
  userAgent: string;
}

/** How a visit ended: well, or with an event. */
export interface VisitOutcome {
  event?: SecurityEvent;
  memberId?: string | undefined;
  message?: string;
  data?: Readonly<Record<string, unknown>>;
}

/** Where events are noted: they become records of the audit trail together with the call. */
export interface AuditEvents {
  event(name: SecurityEvent, details?: EventDetails): void;
  /** Adds the record of a visit in a transaction of its organization: no call records it. */
  visited(tx: Transaction, visit: Visit, outcome: VisitOutcome): Promise<void>;
}
