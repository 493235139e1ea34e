import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { reachCondition } from '#store';
import { integrationOf } from './integration-of.js';
import { type CountedPart, seriesOf, windowOf } from './timeseries.js';

const sums = ['requests', 'failed', 'cpu_time', 'in_bytes', 'out_bytes']
  .map((name) => `sum(u.${name}) as ${name}`)
  .join(', ');
/** A deleted integration has no domain, so callers limited by domain cannot see its usage. */
const category =
  "coalesce((select i.category from integrations i where i.id = u.integration_id), '')";

/** Usage over time: minutes are stored, hours are their sums. */
@Controller()
export class TimeseriesHandlers {
  constructor(private readonly context: ManagementContext) {}

  /** Returns the last hour of all accounts that the caller can access. */
  @Handles('status_get_timeseries')
  async ofOrganization(
    call: Call<'status_get_timeseries'>,
  ): Promise<Reply<'status_get_timeseries'>> {
    const now = this.context.clock.now();
    const { start } = windowOf('minute', now);
    return await this.context.read(call, async (tx) => {
      const reach = reachCondition(tx.scope, { account: 'u.account_id', category });
      const parts = await tx.manager
        .createQueryBuilder()
        .select('u.minute', 'at')
        .addSelect(sums)
        .from('usage_minutes', 'u')
        .where('u.organization_id = :organizationId', tx.scope)
        .andWhere('u.minute >= :start', { start })
        .andWhere(reach.condition, reach.values)
        .groupBy('u.minute')
        .getRawMany<CountedPart>();
      return { result: seriesOf('minute', now, parts) };
    });
  }

  /** Returns the last day with `interval=hour`, the default, or the last hour with `interval=minute`. */
  @Handles('status_get_integration_timeseries')
  async ofIntegration(
    call: Call<'status_get_integration_timeseries'>,
  ): Promise<Reply<'status_get_integration_timeseries'>> {
    const interval = call.query.interval ?? 'hour';
    const now = this.context.clock.now();
    const { start } = windowOf(interval, now);
    return await this.context.read(call, async (tx) => {
      const { id, organizationId } = await integrationOf(tx, call.path);
      const parts = await tx.query<CountedPart>(
        `select date_trunc($4, u.minute) as at, ${sums} from usage_minutes u
         where u.organization_id = $1 and u.integration_id = $2 and u.minute >= $3 group by 1`,
        [organizationId, id, start, interval],
      );
      return { result: seriesOf(interval, now, parts) };
    });
  }
}
