import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import type { Call, ManagementSchemas, Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { reachCondition, type Scope, wholeOrganization } from '#store';
import { addFilters, checkTime, readDirection } from './audit-query.js';

type Audit = ManagementSchemas['Audit'];
type Row = { [Key in keyof Audit]: Audit[Key] | null };

const columns =
  'environment remote_addr user_agent audit_type method path code body response status member_id account_id integration_id bridge_group_id request_id';
/** A deleted integration has no domain, so callers limited by domain cannot see its records. */
const category = `case when r.integration_id is not null then coalesce(
  (select i.category from integrations i where i.id = r.integration_id), '') end`;
const maxRows = 1_000;

/** `/v1/audit/organizations`: the audit trail, oldest first by default. */
@Controller()
export class AuditHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('audit_list')
  async list(call: Call<'audit_list'>): Promise<Reply<'audit_list'>> {
    const { limit, start_after: startAfter, order, filter } = call.query;
    const scope = this.context.scope(call);
    const direction = readDirection(order);
    // Transactions that are running have taken their time already and are not visible: a page up to now would miss
    // them.
    const [horizon] = await this.context.store.select<{ at: string }>(
      scope,
      'select onefold_audit_horizon($1 ->> 0) as at',
      [scope.organizationId],
    );
    return await this.context.store.read(scope, async ({ manager }) => {
      const query = manager
        .createQueryBuilder()
        .select(columns.split(' ').map(selected))
        .addSelect(
          `to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
          'created_at',
        )
        .from('audit_records', 'r')
        .where('r.organization_id = :organizationId', { organizationId: scope.organizationId })
        .andWhere('r.created_at < :horizon', { horizon: horizon?.at });
      const reach = reachCondition(visible(scope), { account: 'r.account_id', category });
      query.andWhere(reach.condition, reach.values);
      addFilters(query, filter);
      if (startAfter !== undefined && startAfter !== null)
        query.andWhere(`r.created_at ${direction === 'ASC' ? '>' : '<'} :startAfter`, {
          startAfter: checkTime(startAfter),
        });
      if (limit === 0) return { result: [] }; // TypeORM ignores a limit of 0.
      const rows = await query
        .orderBy('r.created_at', direction)
        .limit(Math.min(limit ?? 100, maxRows))
        .getRawMany<Row>();
      return { result: rows.map(auditView) };
    });
  }
}

/** Callers who see the whole trail see the organization's own account in it: who uses it must not be hidden from them. */
function visible(scope: Scope): Scope {
  return scope.accounts === 'all' ? wholeOrganization(scope.organizationId) : scope;
}

/** A column of a response. What the service did on its own has no request. */
function selected(column: string): string {
  return column === 'request_id'
    ? "nullif(r.request_id, '') as request_id"
    : `r.${column} as ${column}`;
}

/** A record in responses, without absent fields. */
function auditView(row: Row): Audit {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as Audit;
}
