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
  type Attendance,
  type Scope,
  type Store,
  type Transaction,
  type Witness,
  wholeOrganization,
} from '#store';
import { insertEntries, outcomeOf } from './audit-entry.js';
import { CallRecord } from './call-record.js';

const longestPath = 500;

/**
 * Records every call of the management API: in the first transaction in which it changes something, so that neither is
 * there without the other; calls that change nothing, fail, or never ask the database, before they
 * are answered. One that fails after a transaction has its record corrected. Every call passes {@link around}, and every
 * transaction {@link attend}: handlers need not know of it.
 */
export class AuditTrail implements AuditEvents, Witness {
  private readonly current = new AsyncLocalStorage<CallRecord>();
  private running = 0;

  constructor(private readonly store: Store) {
    store.witness = this;
  }

  /** Runs a call. An answer leaves only when its record is stored. */
  async around<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const operation = operationOf(call.operation);
    if (operation.side !== 'management') return await work();
    this.running += 1;
    try {
      return await this.recorded(new CallRecord(call), operation, work);
    } finally {
      this.running -= 1;
      // While the storage is on, every promise of the process costs more; where connectors run beside it, a tenth of their time.
      if (this.running === 0) this.current.disable();
    }
  }

  private async recorded<T>(
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
      if (status === 403) record.event('permission_denied', { message: maskTokens(message) });
      await this.complete(record, status, message);
      throw error;
    }
    await this.complete(
      record,
      reply instanceof StreamReply ? reply.status : operation.response.status,
    );
    return reply;
  }

  event(name: SecurityEvent, details: EventDetails): void {
    const record = this.current.getStore();
    if (record === undefined) throw new Error(`the event ${name} happened outside of a call`);
    const { message } = details;
    record.event(
      name,
      message === undefined ? details : { ...details, message: maskTokens(message) },
    );
  }

  async visited(
    tx: Transaction,
    visit: Visit,
    { event, memberId, message, data }: VisitOutcome,
  ): Promise<void> {
    await insertEntries(tx, [
      {
        request_id: visit.requestId,
        remote_addr: visit.remoteAddress,
        user_agent: visit.userAgent,
        method: visit.method,
        path: maskTokens(visit.path).slice(0, longestPath),
        ...(event === undefined
          ? outcomeOf(200)
          : { audit_type: 'ALARM', code: event, status: 'refused' }),
        response: message === undefined ? undefined : maskTokens(message).slice(0, longestPath),
        body: data,
        member_id: memberId,
      },
    ]);
  }

  attend({ organizationId }: Scope, access: Access): Attendance | undefined {
    const record = this.current.getStore();
    if (record === undefined) return undefined;
    record.organizationId ??= organizationId;
    const { operation } = record;
    // Something that changes is recorded with the change, not with what is looked up before it.
    const here =
      record.organizationId === organizationId &&
      (access === 'write' || (access === 'read' && operation.method === 'GET'));
    const { status } = operation.response;
    return {
      saw: (seen) => record.saw(seen),
      closing: () =>
        here && !record.isRecorded ? record.closing(organizationId, status) : undefined,
    };
  }

  /** What no transaction of the call has recorded, or not as it ended. */
  private async complete(record: CallRecord, status: number, message?: string): Promise<void> {
    const { organizationId } = record;
    if (organizationId === undefined || !record.lacks(status, message)) return;
    await this.current.exit(() =>
      this.store.write(wholeOrganization(organizationId), (tx) =>
        record.complete(tx, status, message),
      ),
    );
  }
}
