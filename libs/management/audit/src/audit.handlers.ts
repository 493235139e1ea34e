import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import type { Call, ManagementSchemas, Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { reachCondition } from '#store';
import { addFilters, checkTime, readDirection } from './audit-query.js';

type Audit = ManagementSchemas['Audit'];
type Row = { [Key in keyof Audit]: Audit[Key] | null };

const columns =
  'environment remote_addr user_agent audit_type method path code body response status member_id account_id integration_id bridge_group_id';
/** Of an integration that is gone nobody knows the category any more: who is limited to some does not see it. */
const category = `case when r.integration_id is not null then coalesce(
  (select i.category from integrations i where i.id = r.integration_id), '') end`;
const mostRows = 1_000;

/** `/v1/audit/organizations`: the trail, oldest first unless told. */
@Controller()
export class AuditHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('audit_list')
  async list(call: Call<'audit_list'>): Promise<Reply<'audit_list'>> {
    const { limit, start_after: startAfter, order, filter } = call.query;
    const scope = this.context.scope(call);
    const direction = readDirection(order);
    // Calls that run at this moment have their time and are not to be seen yet: who pages up to now would miss them.
    const [horizon] = await this.context.store.select<{ at: string }>(
      scope,
      'select onefold_audit_horizon($1 ->> 0) as at',
      [scope.organizationId],
    );
    return await this.context.store.read(scope, async ({ manager }) => {
      const query = manager
        .createQueryBuilder()
        .select(columns.split(' ').map((column) => `r.${column} as ${column}`))
        .addSelect(
          `to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
          'created_at',
        )
        .from('audit_records', 'r')
        .where('r.organization_id = :organizationId', { organizationId: scope.organizationId })
        .andWhere('r.created_at < :horizon', { horizon: horizon?.at });
      const reach = reachCondition(scope, { account: 'r.account_id', category });
      query.andWhere(reach.condition, reach.values);
      addFilters(query, filter);
      if (startAfter !== undefined && startAfter !== null)
        query.andWhere(`r.created_at ${direction === 'ASC' ? '>' : '<'} :startAfter`, {
          startAfter: checkTime(startAfter),
        });
      if (limit === 0) return { result: [] }; // TypeORM takes a limit of 0 for none
      const rows = await query
        .orderBy('r.created_at', direction)
        .limit(Math.min(limit ?? 100, mostRows))
        .getRawMany<Row>();
      return { result: rows.map(auditView) };
    });
  }
}

/** A record as answers show it: without what it does not have. */
function auditView(row: Row): Audit {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as Audit;
}
