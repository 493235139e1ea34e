// A child process of `npm run fuzz:mapping -- --hostile`: measures from a place in the list on, a line of JSON for each, and tells
// before each what it begins, so that its parent knows what ended it.
import { hostileTemplates } from './hostile-templates.js';
import { measureTemplate, type Measured } from './measure.js';
import { largeLoads, loopedLoads, type Load } from './method-loads.js';

/** What each template may take: milliseconds of processor time, bytes. */
const [maxTime, maxHeld] = [1_000, 200_000_000];
/** What a step may take, in milliseconds, and a byte that was paid for. */
const [timePerStep, heldPerStep, heldPerByte] = [200e-6, 32, 2];
/** What a load may take beside its steps: compiling, and noise of the machine. */
const [freeTime, freeBytes] = [6, 8_000_000];

const [what = 'templates', first = '0', factor = '1'] = process.argv.slice(2);
const slack = Number(factor);

if (what === 'templates') measureTemplates();
else measureLoads();

function measureTemplates(): void {
  const tiers = [Infinity, 0];
  const all = hostileTemplates.flatMap((one) =>
    tiers.map((generateAfter) => ({ ...one, generateAfter })),
  );
  for (const [index, { name, source, input = {}, generateAfter }] of all.entries()) {
    if (index < Number(first)) continue;
    const label = `${name} (${generateAfter === 0 ? 'generated code' : 'closures'})`;
    tell({ index, begins: label });
    const measured = measureTemplate(source, input, { generateAfter });
    const { outcome, time, held } = measured;
    const isBad = outcome === 'escape' || time > maxTime * slack || held > maxHeld;
    tell({ index, name: label, isBad, ...measured });
  }
}

function measureLoads(): void {
  let index = -1;
  for (const load of everyLoad()) {
    index += 1;
    if (index < Number(first)) continue;
    if (index % 100 === 0) tell({ index, begins: load.name });
    let measured = measureLoad(load, false);
    // A second look, with the memory of the first one collected, tells what is noise.
    if (isBadLoad(measured)) measured = least(measured, measureLoad(load, true));
    if (isBadLoad(measured)) tell({ index, name: load.name, isBad: true, ...measured });
  }
  tell({ index, name: 'loads', isBad: false, count: index + 1 });
}

function* everyLoad(): Generator<Load> {
  yield* largeLoads(100_000);
  yield* loopedLoads(2_000);
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

function isBadLoad({ outcome, time, held, steps, bytes }: Measured): boolean {
  return (
    outcome === 'escape' ||
    time > (freeTime + steps * timePerStep) * slack ||
    held > freeBytes + bytes * heldPerByte + steps * heldPerStep
  );
}

function least(a: Measured, b: Measured): Measured {
  return { ...b, time: Math.min(a.time, b.time), held: Math.min(a.held, b.held) };
}

function tell(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
