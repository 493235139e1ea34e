// A child process of `npm run fuzz -- mapping --hostile`: measures from a place in the list on, a line of JSON for each, and tells
// before each what it begins, so that its parent knows what ended it. With `again` it measures the one at that place, more often.
import { hostileTemplates } from './hostile-templates.js';
import { measureTemplate, type Measured } from './measure.js';
import { largeLoads, loopedLoads, type Load } from './method-loads.js';
import { unpaidLoads } from './unpaid-loads.js';
import { lookUntilGood, warmUp } from './verdict.js';

/** Maximum milliseconds of processor time, and bytes, of a template. */
const [maxTime, maxHeld] = [1_000, 200_000_000];
/** Maximum milliseconds and bytes for each step, and bytes for each byte that was paid for. */
const [timePerStep, heldPerStep, heldPerByte] = [200e-6, 32, 2];
/** Milliseconds and bytes of a load beside its steps, for compiling and noise of the machine. */
const [maxFreeTime, freeBytes] = [6, 8_000_000];
/** How often one is measured before it counts as bad among the others, and alone in a process. */
const [maxLooks, maxLooksAlone] = [5, 25];

const [what = 'templates', first = '0', factor = '1', name = '', isAgain] = process.argv.slice(2);
/** The one method or function whose loads are measured; every one by default. */
const only = name === '' ? undefined : name;
const slack = Number(factor);
const looks = isAgain === 'again' ? maxLooksAlone : maxLooks;

warmUp();
if (what === 'templates') measureTemplates();
else await measureLoads(what === 'dry' ? unpaidLoads() : everyLoad());

/** Whether the one at a place of the list is measured by this process. */
function isMine(index: number): boolean {
  return isAgain === 'again' ? index === Number(first) : index >= Number(first);
}

function measureTemplates(): void {
  const tiers = [Infinity, 0];
  const all = hostileTemplates.flatMap((one) =>
    tiers.map((generateAfter) => ({ ...one, generateAfter })),
  );
  for (const [index, { name, source, input = {}, generateAfter }] of all.entries()) {
    if (!isMine(index)) continue;
    const label = `${name} (${generateAfter === 0 ? 'generated code' : 'closures'})`;
    report({ index, begins: label });
    const look = () => measureTemplate(source, input, { generateAfter });
    report({ index, name: label, ...lookUntilGood(look, isUnbounded, looks) });
  }
}

function isUnbounded({ outcome, time, held }: Measured): boolean {
  return outcome === 'escape' || time > maxTime * slack || held > maxHeld;
}

async function measureLoads(loads: Iterable<TimedLoad>): Promise<void> {
  let index = -1;
  for (const { load, freeTime } of loads) {
    index += 1;
    if (!isMine(index)) continue;
    report({ index, begins: load.name });
    await turnEventLoop();
    const measured = lookUntilGood(
      (collects) => measureLoad(load, collects),
      (one) => isUnpaid(one, freeTime),
      looks,
    );
    if (measured.isBad) report({ index, name: load.name, ...measured });
  }
  report({ index, name: 'loads', isBad: false, count: index + 1 });
}

interface TimedLoad {
  load: Load;
  /** Milliseconds of it that need not be paid for. */
  freeTime: number;
}

function* everyLoad(): Generator<TimedLoad> {
  for (const load of largeLoads(100_000, only)) yield { load, freeTime: maxFreeTime };
  // Half as many rounds as free time: what a call may cost beside its steps stays a few microseconds.
  for (const load of loopedLoads(1_000, only)) yield { load, freeTime: maxFreeTime / 2 };
}

/** Lets Node free what it keeps until then, as it does between the calls of a service. */
function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function measureLoad({ source, input, environment }: Load, collects: boolean): Measured {
  try {
    return measureTemplate(source, input, { collects, ...(environment && { environment }) });
  } catch (error) {
    // Arguments that a method refuses when the template is compiled cost nothing when it runs.
    const message = error instanceof Error ? error.message : String(error);
    const outcome = error instanceof Error && error.name === 'MappingError' ? 'failed' : 'escape';
    return { outcome, message, steps: 0, bytes: 0, time: 0, held: 0 };
  }
}

function isUnpaid({ outcome, time, held, steps, bytes }: Measured, freeTime: number): boolean {
  return (
    outcome === 'escape' ||
    time > (freeTime + steps * timePerStep) * slack ||
    held > freeBytes + bytes * heldPerByte + steps * heldPerStep
  );
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
