import { ApiError, type ManagementSchemas, operations } from '#contract';
import { readSchedule, type SchedulePlan } from '#jobs';
import { fault } from '#management/core';
import type { ProviderDescription } from '#provider-document';

export type Schedule = ManagementSchemas['OperationSchedule'];
/** The parts of a provider that schedules of an integration depend on. */
export type Schedulable = Pick<ProviderDescription, 'operations' | 'webhookEvents'>;
type Offered = Schedulable['operations'];

export const maxSchedules = 100;

/**
 * Checks scheduled operations.
 * @param provider that of the integration; absent for a point, which may be for several @throws ApiError 400
 */
export function checkSchedules(
  domain: string,
  schedules: readonly Schedule[] | null | undefined,
  now: Date,
  provider?: Schedulable,
): SchedulePlan[] {
  const offered = provider?.operations;
  if ((schedules?.length ?? 0) > maxSchedules)
    throw fault('/scheduled_operations', `must have at most ${maxSchedules} items`);
  return (schedules ?? []).map((settings, index) => {
    const pointer = `/scheduled_operations/${index}`;
    const { operation } = settings;
    if (!operation.startsWith(`${domain}_`))
      throw fault(`${pointer}/operation`, `is not an operation of ${domain}`, {
        value: operation,
        remediation: `Schedule an operation that begins with ${domain}_.`,
      });
    if (offered !== undefined && offered[operation as keyof Offered]?.action !== 'query')
      throw notOffered(`${pointer}/operation`, operation, offered);
    const fields = offered?.[operation as keyof Offered]?.fields;
    const isTemplate = provider === undefined;
    const events = provider?.webhookEvents;
    return readSchedule(settings, { operation, fields, events, now, pointer, isTemplate });
  });
}

/** Those of a point's schedules that a provider can run: a template does not refuse an integration. */
export function schedulesFor(
  schedules: readonly Schedule[] | null | undefined,
  domain: string,
  now: Date,
  provider: Schedulable,
): { plans: SchedulePlan[]; skipped: string[] } {
  const skipped: string[] = [];
  const plans = (schedules ?? []).flatMap((one) => {
    try {
      return checkSchedules(domain, [one], now, provider);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      skipped.push(`${one.operation}: ${error.message}`);
      return [];
    }
  });
  return { plans, skipped };
}

function notOffered(pointer: string, operation: string, offered: Offered) {
  const lists = Object.entries(offered)
    .filter(
      ([id, one]) => one.action === 'query' && !operations.get(id as never)?.path.includes('{'),
    )
    .map(([id]) => id)
    .sort();
  return fault(pointer, 'is not a list that the provider of the integration offers', {
    value: operation,
    remediation: lists.length === 0 ? 'It offers no lists.' : `Use one of: ${lists.join(', ')}.`,
  });
}
