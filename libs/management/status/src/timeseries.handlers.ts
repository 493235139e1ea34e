import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { reachCondition } from '#store';
import { integrationOf } from './integration-of.js';
import { type CountedPart, seriesOf, type Window, windowOf } from './timeseries.js';

const counters = ['requests', 'job_requests', 'failed', 'cpu_time', 'in_bytes', 'out_bytes'];
const names = counters.join(', ');
const sums = counters.map((name) => `sum(u.${name}) as ${name}`).join(', ');
/** All that is kept: minutes of two days, before them the hours of their sums. */
const source = `(select organization_id, account_id, integration_id, minute as at, ${names} from usage_minutes
  union all select organization_id, account_id, integration_id, hour, ${names} from usage_hours)`;
/** A deleted integration has no domain, so callers limited by domain cannot see its usage. */
const category =
  "coalesce((select i.category from integrations i where i.id = u.integration_id), '')";

/** Usage over time: minutes are stored, hours and days are their sums. */
@Controller()
export class TimeseriesHandlers {
  constructor(private readonly context: ManagementContext) {}

  /** Returns what ran in all accounts that the caller can access; by default in the last hour. */
  @Handles('status_get_timeseries')
  async ofOrganization(
    call: Call<'status_get_timeseries'>,
  ): Promise<Reply<'status_get_timeseries'>> {
    const window = windowOf(call.query, this.context.clock.now(), 'minute');
    return await this.context.read(call, async (tx) => {
      const reach = reachCondition(tx.scope, { account: 'u.account_id', category });
      const parts = await tx.manager
        .createQueryBuilder()
        .select("date_trunc(:interval, u.at, 'UTC')", 'at')
        .addSelect(sums)
        .from(source, 'u')
        .where('u.organization_id = :organizationId', tx.scope)
        .andWhere('u.at >= :start and u.at < :end', timesOf(window))
        .andWhere(reach.condition, reach.values)
        .groupBy('1')
        .setParameter('interval', window.interval)
        .getRawMany<CountedPart>();
      return { result: seriesOf(window, parts) };
    });
  }

  /** Returns what ran through an integration; by default in the last day, by hours. */
  @Handles('status_get_integration_timeseries')
  async ofIntegration(
    call: Call<'status_get_integration_timeseries'>,
  ): Promise<Reply<'status_get_integration_timeseries'>> {
    const window = windowOf(call.query, this.context.clock.now(), 'hour');
    const { start, end } = timesOf(window);
    return await this.context.read(call, async (tx) => {
      const { id, organizationId } = await integrationOf(tx, call.path);
      const parts = await tx.query<CountedPart>(
        `select date_trunc($5, u.at, 'UTC') as at, ${sums} from ${source} u
         where u.organization_id = $1 and u.integration_id = $2 and u.at >= $3 and u.at < $4 group by 1`,
        [organizationId, id, start, end, window.interval],
      );
      return { result: seriesOf(window, parts) };
    });
  }
}

function timesOf({ start, end }: Window): { start: Date; end: Date } {
  return { start: new Date(start), end: new Date(end) };
}
