import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { usageQueries } from '#store';
import { integrationOf } from './integration-of.js';
import { type CountedPart, seriesOf, type Window, windowOf } from './timeseries.js';

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
      const parts = await usageQueries.sumByInterval<CountedPart>(tx, timesOf(window));
      return { result: seriesOf(window, parts) };
    });
  }

  /** Returns what ran through an integration; by default in the last day, by hours. */
  @Handles('status_get_integration_timeseries')
  async ofIntegration(
    call: Call<'status_get_integration_timeseries'>,
  ): Promise<Reply<'status_get_integration_timeseries'>> {
    const window = windowOf(call.query, this.context.clock.now(), 'hour');
    return await this.context.read(call, async (tx) => {
      const { id } = await integrationOf(tx, call.path);
      const parts = await usageQueries.sumOfIntegration<CountedPart>(tx, id, timesOf(window));
      return { result: seriesOf(window, parts) };
    });
  }
}

function timesOf({ start, end, interval }: Window): usageQueries.UsageWindow {
  return { start: new Date(start), end: new Date(end), interval };
}
