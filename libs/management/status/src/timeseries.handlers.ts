import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Reply } from '#contract';
import { ManagementContext } from '#management/shared';
import { integrationOf } from './integration-of.js';
import { type CountedPart, seriesOf, windowOf } from './timeseries.js';

const sums = ['requests', 'failed', 'cpu_time', 'in_bytes', 'out_bytes']
  .map((name) => `sum(${name}) as ${name}`)
  .join(', ');

/** What ran over time: minutes are kept, hours are their sums. */
@Controller()
export class TimeseriesHandlers {
  constructor(private readonly context: ManagementContext) {}

  /** The last hour, of the accounts the caller reaches. */
  @Handles('status_get_timeseries')
  async ofOrganization(
    call: Call<'status_get_timeseries'>,
  ): Promise<Reply<'status_get_timeseries'>> {
    const now = this.context.clock.now();
    const { start } = windowOf('minute', now);
    return await this.context.write(call, async (tx) => {
      const { organizationId, accounts } = tx.scope;
      const [reached, parameters] = accounts === 'all' ? ['', []] : tx.accounts.idsQuery();
      const at = (offset: number) => `$${parameters.length + offset}`;
      const parts = await tx.query<CountedPart>(
        `select minute as at, ${sums} from usage_minutes
         where organization_id = ${at(1)} and minute >= ${at(2)}
           ${reached === '' ? '' : `and account_id in (${reached})`}
         group by 1`,
        [...parameters, organizationId, start],
      );
      return { result: seriesOf('minute', now, parts) };
    });
  }

  /** `interval=hour`, the usual one: the last day. `interval=minute`: the last hour. */
  @Handles('status_get_integration_timeseries')
  async ofIntegration(
    call: Call<'status_get_integration_timeseries'>,
  ): Promise<Reply<'status_get_integration_timeseries'>> {
    const interval = call.query.interval ?? 'hour';
    const now = this.context.clock.now();
    const { start } = windowOf(interval, now);
    return await this.context.write(call, async (tx) => {
      const { id, organizationId } = await integrationOf(tx, call.path);
      const parts = await tx.query<CountedPart>(
        `select date_trunc($4, minute) as at, ${sums} from usage_minutes
         where organization_id = $1 and integration_id = $2 and minute >= $3 group by 1`,
        [organizationId, id, start, interval],
      );
      return { result: seriesOf(interval, now, parts) };
    });
  }
}
