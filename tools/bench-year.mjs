// A year of schedules by a simulated clock, in a zone with summer time: every run at its time, none twice, none left out. Loaded by tools/bench-worker.mjs.
import { join } from 'node:path';
import { root } from './install.mjs';

/** @returns false if a run was left out, doubled or misplaced, or a record lost or repeated */
export async function benchYear(zone) {
  process.env.TZ = zone;
  const { TestServices } = await import(join(root, 'dist/test/harness/services/services.js'));
  const { simulateYear } = await import(join(root, 'dist/test/proof/simulate-year.js'));
  const services = new TestServices();
  await services.listen();
  try {
    const begun = performance.now();
    const year = await simulateYear(zone);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    for (const { frequency, runs, expected, misplaced } of year.schedules)
      console.log(
        `a year of a schedule each ${frequency}: ${runs} runs of ${expected}, ${misplaced} misplaced`,
      );
    console.log(
      `  in ${zone}, over ${year.clockChanges} changes of its clocks, two workers, ${seconds} s; increments: ${year.records} records, ${year.lostRecords} lost, ${year.repeatedRecords} repeated`,
    );
    const isMet =
      year.lostRecords + year.repeatedRecords === 0 &&
      year.clockChanges === 2 &&
      year.schedules.every(
        ({ runs, expected, misplaced }) => runs === expected && runs > 0 && misplaced === 0,
      );
    console.log(`  aim: every run at its time, once, ${isMet ? 'met' : 'MISSED'}`);
    return isMet;
  } finally {
    await services.stop();
  }
}
