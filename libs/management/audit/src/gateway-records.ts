import { Controller } from '@nestjs/common';
import { type GatewayRecord, Serves } from '#bus';
import { ManagementContext } from '#management/core';
import { wholeOrganization } from '#store';
import { type AuditEntry, insertEntries, outcomeOf } from './audit-entry.js';

/** Records the calls that ended at a gateway. */
@Controller()
export class GatewayRecords {
  constructor(private readonly context: ManagementContext) {}

  @Serves('audit.gateway')
  async record({ records }: { records: readonly GatewayRecord[] }): Promise<null> {
    const byOrganization = new Map<string, AuditEntry[]>();
    for (const record of records) {
      const known = byOrganization.get(record.organizationId) ?? [];
      byOrganization.set(record.organizationId, [...known, ...entriesOf(record)]);
    }
    for (const [organizationId, entries] of byOrganization)
      await this.context.store.write(wholeOrganization(organizationId), (tx) =>
        insertEntries(tx, entries),
      );
    return null;
  }
}

/** The event, and the call it happened to. */
function entriesOf(record: GatewayRecord): AuditEntry[] {
  const { event, session, status, times } = record;
  const base = {
    request_id: record.requestId,
    remote_addr: record.remoteAddress,
    user_agent: record.userAgent,
    method: record.method,
    path: record.path,
    response: record.message,
    body: times > 1 ? { times } : undefined,
    member_id: record.memberId,
    account_id: record.accountId,
    integration_id: record.integrationId,
  };
  return [
    ...(session === undefined || status === undefined
      ? []
      : [{ ...base, ...outcomeOf(200), code: 'connect_session_used', body: session }]),
    ...(event === undefined
      ? []
      : [{ ...base, audit_type: 'ALARM' as const, code: event, status: 'refused' as const }]),
    ...(status === undefined ? [] : [{ ...base, ...outcomeOf(status) }]),
  ];
}
