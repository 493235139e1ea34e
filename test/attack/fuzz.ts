import { type Onefold, startDistributed, startOnTestDatabase } from '../e2e/onefold.js';
import { ticketingSystems } from '../e2e/ticketing-systems.js';
import { attackService, type Measured, type Outcome, type Plan } from './campaign.js';
import { memoryReporter } from './memory.js';

export type Form = 'embedded' | 'distributed';

/**
 * Maximum growth of a process's memory, in MB. A run that is long enough counts from its second measurement, because until then caches of
 * a limited size fill: documents, generated code, open mocks. What grows behind it would go on growing.
 */
const maxGrowth = 50;

/** Each request comes from another address, so that no rate limit is reached. */
const settings = { ...memoryReporter, PROXY_HOPS: '1' };

/** Starts a service and the fakes of two vendors, attacks it, and stops them. */
export async function fuzz(form: Form, plan: Plan): Promise<{ isWell: boolean; report: string }> {
  const vendors = ticketingSystems.filter(({ name }) =>
    ['Jira', 'GitHub'].some((one) => name.includes(one)),
  );
  const systems = await Promise.all(vendors.map((system) => system.start()));
  let onefold: Onefold | undefined;
  try {
    onefold = await (form === 'embedded'
      ? startOnTestDatabase(settings)
      : startDistributed(settings));
    const outcome = await attackService(onefold, {
      ...plan,
      systems: systems.map(({ config }) => config),
    });
    return { isWell: isWell(outcome), report: reportOf(plan, outcome) };
  } finally {
    await onefold?.stop();
    await Promise.all(systems.map((system) => system.stop()));
  }
}

function isWell({ findings, unwell, memory }: Outcome): boolean {
  return (
    findings.length === 0 &&
    unwell.length === 0 &&
    Object.values(memory).every((measured) => growthOf(measured) < maxGrowth)
  );
}

function growthOf(measured: readonly Measured[]): number {
  const start = measured.length > 2 ? measured[1] : measured[0];
  return (measured.at(-1)?.used ?? 0) - (start?.used ?? 0);
}

function reportOf({ seed }: Plan, outcome: Outcome): string {
  const { requests, statuses, findings, memory, unwell, slowest } = outcome;
  const megabytes = (value: number) => `${Math.round(value)} MB`;
  return [
    ...findings.map(
      ({ index, fault, times, curl }) =>
        `seed ${seed}, request ${index}, ${times} times: ${fault}\n  ${curl}\n`,
    ),
    ...unwell,
    ...Object.entries(memory).flatMap(([name, measured]) =>
      measured.map(
        ({ requests: sent, used, resident }) =>
          `${name} after ${sent} requests: ${megabytes(used)} in use, ${megabytes(resident)} resident`,
      ),
    ),
    `slowest: ${slowest.map(({ index, ms }) => `request ${index} ${ms} ms`).join(', ')}`,
    `responses: ${Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ')}`,
    `seed ${seed}: ${requests} requests, ${findings.length} kinds of faults`,
  ].join('\n');
}
