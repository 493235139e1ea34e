import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, type Call, type Operation, operationOf, StreamReply } from '#contract';
import type {
  AuditEvents,
  EventDetails,
  SecurityEvent,
  Visit,
  VisitOutcome,
} from '#management/core';
import { maskTokens } from '#secrets';
import {
  type Access,
  type TransactionHooks,
  type Scope,
  type Store,
  type Transaction,
  type TransactionObserver,
  wholeOrganization,
} from '#store';
import { insertEntries, outcomeOf } from './audit-entry.js';
import { CallRecord } from './call-record.js';
import { EntryGroups } from './entry-groups.js';
import { Previews } from './previews.js';

const maxTextLength = 500;

/** True for a call that checks and stores nothing, which editors send whenever somebody pauses. */
function isDryRun(call: object): boolean {
  return (call as { query?: { dry_run?: boolean | null } }).query?.dry_run === true;
}

/**
 * Records every call of the management API. A call that changes something is recorded in its first transaction that
 * does, so that neither exists without the other; a call that changes nothing, fails, or does not use the database is
 * recorded before its response is sent, together with others that end meanwhile. If it fails after that transaction, its record is corrected. Every call passes
 * {@link runCall}, and every transaction {@link onBegin}; handlers do nothing for it. Of operations that preview something, and of dry
 * runs, {@link Previews} decides which calls are recorded.
 */
export class AuditTrail implements AuditEvents, TransactionObserver {
  private readonly current = new AsyncLocalStorage<CallRecord>();
  private running = 0;
  private readonly previews: Previews;
  private readonly groups: EntryGroups;

  constructor(
    private readonly store: Store,
    now: () => number = Date.now,
  ) {
    store.observer = this;
    this.previews = new Previews(now);
    this.groups = new EntryGroups(store);
  }

  /** Runs a call. Its response is sent after its record is stored. */
  async runCall<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const operation = operationOf(call.operation);
    if (operation.side !== 'management') return await work();
    this.running += 1;
    try {
      return await this.runRecorded(new CallRecord(call), operation, work);
    } finally {
      this.running -= 1;
      // Active asynchronous storage makes every promise of the process slower: a connector in the same process takes a
      // tenth longer.
      if (this.running === 0) this.current.disable();
    }
  }

  private async runRecorded<T>(
    record: CallRecord,
    operation: Operation,
    work: () => Promise<T>,
  ): Promise<T> {
    let reply: T;
    try {
      reply = await this.current.run(record, work);
    } catch (error) {
      const { status, message } =
        error instanceof ApiError ? error : { status: 500, message: 'the service failed' };
      if (status === 403) record.addEvent('permission_denied', { message: maskTokens(message) });
      await this.complete(record, status, message);
      throw error;
    }
    await this.complete(
      record,
      reply instanceof StreamReply ? reply.status : operation.response.status,
    );
    return reply;
  }

  recordEvent(name: SecurityEvent, details: EventDetails): void {
    const record = this.current.getStore();
    if (record === undefined) throw new Error(`the event ${name} happened outside of a call`);
    const { message } = details;
    record.addEvent(
      name,
      message === undefined ? details : { ...details, message: maskTokens(message) },
    );
  }

  async recordVisit(
    tx: Transaction,
    visit: Visit,
    { event, memberId, accountId, bridgeGroupId, message, data }: VisitOutcome,
  ): Promise<void> {
    await insertEntries(tx, [
      {
        request_id: visit.requestId,
        remote_addr: visit.remoteAddress,
        user_agent: visit.userAgent,
        method: visit.method,
        path: maskTokens(visit.path).slice(0, maxTextLength),
        ...(event === undefined
          ? outcomeOf(200)
          : { audit_type: 'ALARM', code: event, status: 'refused' }),
        response: message === undefined ? undefined : maskTokens(message).slice(0, maxTextLength),
        body: data,
        member_id: memberId,
        account_id: accountId,
        bridge_group_id: bridgeGroupId,
      },
    ]);
  }

  onBegin({ organizationId }: Scope, access: Access): TransactionHooks | undefined {
    const record = this.current.getStore();
    if (record === undefined) return undefined;
    record.organizationId ??= organizationId;
    const { operation } = record;
    const isRecordedWith = () =>
      record.organizationId === organizationId &&
      !record.isRecorded &&
      !operation.previews &&
      // A change is recorded with the change, and not with a lookup before it; a read with its lookup if there is
      // nobody to share a transaction with.
      (access === 'write' ||
        (access === 'read' && operation.method === 'GET' && this.running === 1));
    const { status } = operation.response;
    return {
      onRecord: (seen) => record.addSubject(seen),
      beforeCommit: () =>
        isRecordedWith() ? record.commitStatement(organizationId, status) : undefined,
    };
  }

  /** Writes the parts of the record that no transaction of the call has stored, or that have changed since. */
  private async complete(record: CallRecord, status: number, message?: string): Promise<void> {
    const { organizationId, operation, call } = record;
    if (organizationId === undefined || !record.isIncomplete(status, message)) return;
    const isPreview = (operation.previews || isDryRun(call)) && status < 500 && !record.hasEvents;
    if (isPreview && this.previews.has(call, status)) return;
    if (record.isRecorded)
      await this.current.exit(() =>
        this.store.write(wholeOrganization(organizationId), (tx) =>
          record.correct(tx, status, message),
        ),
      );
    else await this.groups.add(organizationId, record.entries(status, message));
    if (isPreview) this.previews.add(call, status);
  }
}
