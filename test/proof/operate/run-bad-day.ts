import { BadDay, type Measured } from './bad-day.js';
import type { BadEvent } from './events.js';

/** An event with its figures, and with what is beyond its budget. */
export interface JudgedEvent extends Measured {
  budget: BadEvent['budget'];
  faults: string[];
}

/** Lets the events happen one after the other in one installation. */
export async function runBadDay(
  events: readonly BadEvent[],
  log: (line: string) => void,
): Promise<JudgedEvent[]> {
  const day = await BadDay.begin();
  const all: JudgedEvent[] = [];
  try {
    for (const { name, budget, happen } of events) {
      const measured = await day.measure(name, () => happen(day));
      const judged = { ...measured, budget, faults: faultsOf(measured, budget) };
      all.push(judged);
      log(rowOf(judged));
    }
  } finally {
    await day.end();
  }
  return all;
}

export const tableHead = [
  '| event | failed / calls | statuses | longest call | recovery | log lines (warn, error) | alerts |',
  '| --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

export function rowOf(judged: JudgedEvent): string {
  const { name, failed, calls, statuses, slowestCallMs, recoveryMs, lines, alerts } = judged;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const by = Object.entries(statuses).map(
    ([status, count]) => `${count}x ${status === '0' ? 'no response' : status}`,
  );
  const cells = [
    name,
    `${failed}/${calls}`,
    by.join(', '),
    seconds(slowestCallMs),
    seconds(recoveryMs),
    `${lines.warn}, ${lines.error}`,
    alerts.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function faultsOf({ failed, calls, recoveryMs, alerts }: Measured, budget: BadEvent['budget']) {
  const faults: string[] = [];
  const expected = [...budget.alerts, ...(budget.mayWake ?? [])];
  if (failed > calls * budget.failedShare)
    faults.push(`${failed} of ${calls} calls failed, of which ${budget.failedShare * 100} % may`);
  if (recoveryMs > budget.recoveryMs)
    faults.push(`calls failed for ${recoveryMs} ms after its end, of ${budget.recoveryMs} ms`);
  for (const alert of budget.alerts)
    if (!alerts.includes(alert)) faults.push(`${alert} did not fire`);
  for (const alert of alerts)
    if (alert.endsWith('!') && !expected.includes(alert)) faults.push(`${alert} fired`);
  return faults;
}
