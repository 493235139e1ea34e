import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addUsage,
  addUsageAndLatencies,
  dropOldUsage,
  dropOldUsageWithLatencies,
} from './baseline/usage-counters.js';

/** How long calls took, as counts of ranges (libs/store/src/latencies.ts): percentiles of any time are sums of them. */
export class Latencies1763700225000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table usage_minutes add column latencies bigint[];
      alter table usage_hours add column latencies bigint[];
      create function onefold_add_counts(one bigint[], other bigint[]) returns bigint[]
        language sql immutable parallel safe set search_path = public
        as $$ select case when one is null then other when other is null then one else (
            select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
              from unnest(one, other) with ordinality as counts(a, b, place)) end $$;
      create aggregate onefold_sum_counts(bigint[]) (sfunc = onefold_add_counts, stype = bigint[], parallel = safe);
      ${addUsageAndLatencies}
      ${dropOldUsageWithLatencies}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${addUsage}
      ${dropOldUsage}
      drop aggregate onefold_sum_counts(bigint[]);
      drop function onefold_add_counts(bigint[], bigint[]);
      alter table usage_hours drop column latencies;
      alter table usage_minutes drop column latencies;
    `);
  }
}
