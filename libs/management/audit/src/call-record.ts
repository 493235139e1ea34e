import { type Call, connectSessionData, type Operation, operationOf } from '#contract';
import type { EventDetails, SecurityEvent } from '#management/core';
import { maskTokens } from '#secrets';
import type { CommitStatement, SeenRecord, Transaction } from '#store';
import {
  type AuditEntry,
  correctEntry,
  insertEntries,
  insertStatement,
  outcomeOf,
  storable,
} from './audit-entry.js';
import { redactBody } from './redact.js';

const maxMessageLength = 500;

/** The records that an entry is about. */
type Subject = Pick<
  AuditEntry,
  'account_id' | 'integration_id' | 'bridge_group_id' | 'environment' | 'member_id'
>;

/** Events that are no alarms: the service reads secrets to call providers, and sessions are there to be used. */
const ordinary: ReadonlySet<SecurityEvent> = new Set(['connect_session_used', 'secret_read']);

/** The stored entry. */
interface Recorded {
  at: string;
  entry: AuditEntry;
  status: number;
  /** The value of `changes` when it was built. */
  changes: number;
}

/** A call and its audit entry: the request, the records that it used, its events. */
export class CallRecord {
  readonly operation: Operation;
  /** Unknown at first if the call has no authenticated caller. */
  organizationId: string | undefined;
  private recorded: Recorded | undefined;
  /** Counts changes of the entry, so that an unchanged entry is not built again. */
  private changes = 0;
  private path: string | undefined;
  private readonly events: AuditEntry[] = [];
  private readonly keys: ReadonlySet<string>;
  private readonly found: Subject = {};
  private readonly made: Subject = {};
  private redacted: { body: unknown } | undefined;

  constructor(readonly call: Call) {
    this.operation = operationOf(call.operation);
    const caller = call.caller as Call['caller'] | null;
    this.organizationId = caller?.organizationId;
    this.keys = new Set(Object.values(call.path));
    const { connect, tokenId = '' } = caller ?? {};
    if (connect) {
      const data = { ...connectSessionData({ tokenId, connect }) };
      this.addEvent('connect_session_used', { data });
    }
  }

  /** Takes the subject of the entry from records that the call's path names, and from those that it creates. */
  addSubject({ resource, key, row }: SeenRecord): void {
    if (key !== undefined && !this.keys.has(key)) return;
    this.changes += 1;
    const subject = key === undefined ? this.made : this.found;
    const text = (name: string) => (typeof row[name] === 'string' ? row[name] : undefined);
    if (resource === 'account') {
      subject.account_id = text('id');
      subject.environment = text('environment');
    } else subject.account_id ??= text('accountId');
    if (resource === 'integration') subject.integration_id = text('id');
    else if (text('ownerType') === 'integration') subject.integration_id ??= text('ownerId');
    if (resource === 'bridge') subject.bridge_group_id = text('id');
    // A logon has no member when the call begins.
    if (resource === 'token' && this.memberId === undefined) subject.member_id = text('memberId');
  }

  addEvent(name: SecurityEvent, details: EventDetails): void {
    this.organizationId ??= details.organizationId;
    const { memberId, accountId, integrationId, bridgeGroupId, message, data } = details;
    this.events.push({
      ...this.requestFields(),
      ...(ordinary.has(name)
        ? { audit_type: 'API' as const, status: 'succeeded' as const }
        : { audit_type: 'ALARM' as const, status: 'refused' as const }),
      code: name,
      response: message,
      body: data,
      member_id: memberId ?? this.memberId,
      account_id: accountId,
      integration_id: integrationId,
      bridge_group_id: bridgeGroupId,
    });
  }

  /** Whether something happened in the call besides that a session was used. */
  get hasEvents(): boolean {
    return this.events.some(({ code }) => code !== 'connect_session_used');
  }

  get isRecorded(): boolean {
    return this.recorded !== undefined;
  }

  /** Returns the statement that records the call if it is not recorded yet, for the end of its transaction. */
  commitStatement(organizationId: string, status: number): CommitStatement {
    const entry = this.entry(status, undefined);
    const events = this.eventsAt(status);
    const { changes } = this;
    return {
      statement: insertStatement(organizationId, storable([...events, entry])),
      onCommit: (rows) => {
        const at = rows.at(-1)?.['at'];
        if (typeof at === 'string') this.recorded = { at, entry, status, changes };
        this.events.splice(0, events.length);
      },
    };
  }

  /** Returns the entries of a call that ended with the status and is not recorded: its events, and the call. */
  entries(status: number, message?: string): AuditEntry[] {
    return [...this.eventsAt(status), this.entry(status, message)];
  }

  /** Corrects the record of a call that ended with the status, and stores its later events. */
  async correct(tx: Transaction, status: number, message?: string): Promise<void> {
    const entry = this.entry(status, message);
    const events = this.eventsAt(status);
    if (events.length > 0) await insertEntries(tx, events);
    if (this.recorded && !areEqual(this.recorded.entry, entry))
      await correctEntry(tx, this.recorded.at, entry);
  }

  private eventsAt(status: number): AuditEntry[] {
    return this.events.map((event) => assignDefined(this.subject(status), event));
  }

  /** True if the record is missing or differs from that of a call that ends with the status. */
  isIncomplete(status: number, message?: string): boolean {
    const { recorded, changes } = this;
    if (recorded === undefined || this.events.length > 0) return true;
    const isUnchanged =
      recorded.status === status && recorded.changes === changes && message === undefined;
    return !isUnchanged && !areEqual(recorded.entry, this.entry(status, message));
  }

  private entry(status: number, message: string | undefined): AuditEntry {
    // By assignments: V8 takes microseconds for literals that spread several objects, and every call makes an entry.
    const entry: AuditEntry = Object.assign(this.requestFields(), outcomeOf(status), {
      body: this.body(),
      response: this.response(message),
    });
    assignDefined(entry, this.subject(status));
    if (this.memberId !== undefined) entry.member_id = this.memberId;
    return entry;
  }

  /**
   * Returns the records that the call is about. A failed call created none, because its transaction was rolled back.
   */
  private subject(status: number): Subject {
    const subject: Subject = {};
    if (status < 400) assignDefined(subject, this.made);
    return assignDefined(subject, this.found);
  }

  private get memberId(): string | undefined {
    const caller = this.call.caller as Call['caller'] | null;
    return caller?.memberId || undefined;
  }

  private requestFields() {
    const { path, requestId, remoteAddress, userAgent } = this.call;
    this.path ??= pathOf(this.operation, path);
    return {
      request_id: requestId,
      remote_addr: remoteAddress,
      user_agent: userAgent,
      method: this.operation.method,
      path: this.path,
    };
  }

  /** Errors may quote the records of a body, so they are kept only if the body may be. */
  private response(message: string | undefined): string | undefined {
    if (message === undefined || this.operation.unaudited.length > 0) return undefined;
    return maskTokens(message).slice(0, maxMessageLength);
  }

  private body(): unknown {
    this.redacted ??= {
      body:
        this.operation.request === 'json' ? redactBody(this.operation, this.call.body) : undefined,
    };
    return this.redacted.body;
  }
}

/** Returns the path of a call as it was requested, with tokens masked. */
function pathOf(operation: Operation, values: Record<string, string>): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  return maskTokens(filled).slice(0, maxMessageLength);
}

function areEqual(one: AuditEntry, other: AuditEntry): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Assigns the values that are not undefined. @returns the target */
function assignDefined<T extends object, V extends object>(target: T, values: V): T & V {
  const both = target as T & V;
  for (const name in values)
    if (values[name] !== undefined) both[name] = values[name] as (T & V)[typeof name];
  return both;
}
