import type { Transaction } from '#store';

/** Names of events that matter to security. They are recorded beside the call in which they happen. */
export type SecurityEvent =
  | 'authorization_refused'
  | 'bridge_agent_added'
  | 'bridge_agent_refused'
  | 'connect_session_used'
  | 'logon_failed'
  | 'member_locked'
  | 'permission_denied'
  | 'refresh_secret_reused'
  | 'secret_read'
  | 'sso_refused'
  | 'token_refused';

/** Facts of an event; the rest is taken from the call in which it happened. */
export interface EventDetails {
  /** The organization of the event, if the call has no caller. */
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

/** A request outside of the operations of the API, such as a step of a sign-on. */
export interface Visit {
  requestId: string;
  method: string;
  path: string;
  remoteAddress: string;
  userAgent: string;
}

/** Result of a visit: success, or an event. */
export interface VisitOutcome {
  event?: SecurityEvent;
  memberId?: string | undefined;
  accountId?: string | undefined;
  bridgeGroupId?: string | undefined;
  message?: string;
  data?: Readonly<Record<string, unknown>>;
}

/** Records events in the audit trail, together with the call. */
export interface AuditEvents {
  recordEvent(name: SecurityEvent, details?: EventDetails): void;
  /** Adds the record of a visit in a transaction of its organization, because no call records it. */
  recordVisit(tx: Transaction, visit: Visit, outcome: VisitOutcome): Promise<void>;
}
