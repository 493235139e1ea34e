// A child process of `npm run fuzz:mapping -- --hostile`: measures from a place in the list on, a line of JSON for each, and tells
// before each what it begins, so that its parent knows what ended it.
import { hostileTemplates } from './hostile-templates.js';
import { measureTemplate, type Measured } from './measure.js';
import { largeLoads, loopedLoads, type Load } from './method-loads.js';

/** Maximum milliseconds of processor time, and bytes, of a template. */
const [maxTime, maxHeld] = [1_000, 200_000_000];
/** Maximum milliseconds and bytes for each step, and bytes for each byte that was paid for. */
const [timePerStep, heldPerStep, heldPerByte] = [200e-6, 32, 2];
/** Milliseconds and bytes of a load beside its steps, for compiling and noise of the machine. */
const [maxFreeTime, freeBytes] = [6, 8_000_000];
/** How often a load is measured before it counts as bad. */
const maxLooks = 5;

const [what = 'templates', first = '0', factor = '1', name] = process.argv.slice(2);
/** The one method or function whose loads are measured; every one by default. */
const only = name === '' ? undefined : name;
const slack = Number(factor);
let minReferenceTime = Infinity;

if (what === 'templates') measureTemplates();
else await measureLoads();

function measureTemplates(): void {
  const tiers = [Infinity, 0];
  const all = hostileTemplates.flatMap((one) =>
    tiers.map((generateAfter) => ({ ...one, generateAfter })),
  );
  for (const [index, { name, source, input = {}, generateAfter }] of all.entries()) {
    if (index < Number(first)) continue;
    const label = `${name} (${generateAfter === 0 ? 'generated code' : 'closures'})`;
    report({ index, begins: label });
    const look = () => measureTemplate(source, input, { generateAfter });
    const isBad = ({ outcome, time, held }: Measured, busy: number) =>
      outcome === 'escape' || time > maxTime * busy || held > maxHeld;
    report({ index, name: label, ...lookUntilGood(look, isBad) });
  }
}

async function measureLoads(): Promise<void> {
  let index = -1;
  for (const { load, freeTime } of everyLoad()) {
    index += 1;
    if (index < Number(first)) continue;
    report({ index, begins: load.name });
    await turnEventLoop();
    const isBad = (measured: Measured, busy: number) => isUnpaid(measured, freeTime, busy);
    const measured = lookUntilGood((collects) => measureLoad(load, collects), isBad);
    if (measured.isBad) report({ index, name: load.name, ...measured });
  }
  report({ index, name: 'loads', isBad: false, count: index + 1 });
}

/**
 * Measures again what seems to cost too much, with the memory of the first look collected: other processes and collections cost time
 * now and then, work that nobody pays for costs it every time. How busy the machine is shows a piece of work that is always the same.
 */
function lookUntilGood(
  look: (collects: boolean) => Measured,
  isBad: (measured: Measured, busy: number) => boolean,
): Measured & { isBad: boolean } {
  let measured = look(false);
  for (let count = 1; count < maxLooks && isBad(measured, slack); count += 1) {
    const busy = howBusy();
    const again = look(true);
    if (!isBad(again, slack * Math.max(1, Math.min(busy, howBusy()))))
      return { ...again, isBad: false };
    measured = {
      ...again,
      time: Math.min(measured.time, again.time),
      held: Math.min(measured.held, again.held),
    };
  }
  return { ...measured, isBad: isBad(measured, slack) };
}

/** How many times as long as on a quiet machine a known piece of work takes now: it makes and walks many small objects. */
function howBusy(): number {
  const begun = process.cpuUsage();
  let sum = 0;
  for (let round = 0; round < 40; round += 1) {
    const made = Array.from({ length: 1_000 }, (_one, index) => ({ key: `k${index}`, index }));
    for (const { key, index } of made) sum += key.length + index;
  }
  const { user, system } = process.cpuUsage(begun);
  const time = user + system + (sum === 0 ? 1 : 0);
  minReferenceTime = Math.min(minReferenceTime, time);
  return time / minReferenceTime;
}

function* everyLoad(): Generator<{ load: Load; freeTime: number }> {
  for (const load of largeLoads(100_000, only)) yield { load, freeTime: maxFreeTime };
  // Half as many rounds as free time: what a call may cost beside its steps stays a few microseconds.
  for (const load of loopedLoads(1_000, only)) yield { load, freeTime: maxFreeTime / 2 };
}

/** Lets Node free what it keeps until then, as it does between the calls of a service. */
function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function measureLoad({ source, input }: Load, collects: boolean): Measured {
  try {
    return measureTemplate(source, input, { collects });
  } catch (error) {
    // Arguments that a method refuses when the template is compiled cost nothing when it runs.
    const message = error instanceof Error ? error.message : String(error);
    const outcome = error instanceof Error && error.name === 'MappingError' ? 'failed' : 'escape';
    return { outcome, message, steps: 0, bytes: 0, time: 0, held: 0 };
  }
}

function isUnpaid(
  { outcome, time, held, steps, bytes }: Measured,
  freeTime: number,
  busy: number,
): boolean {
  return (
    outcome === 'escape' ||
    time > (freeTime + steps * timePerStep) * busy ||
    held > freeBytes + bytes * heldPerByte + steps * heldPerStep
  );
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
