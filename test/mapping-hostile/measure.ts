import { compileTemplate } from '../../libs/mapping/src/document/template.js';
import type { Environment } from '../../libs/mapping/src/language/environment.js';
import { type Limits, maxLimits } from '../../libs/mapping/src/language/limits.js';
import { noTemplates, Run } from '../../libs/mapping/src/language/run.js';
import { measure } from '../../libs/mapping/src/language/measure.js';
import { LimitError, RunError } from '../../libs/mapping/src/language/run-error.js';
import { Nothing, type Value } from '../../libs/mapping/src/language/values.js';
import { standardEnvironment } from '../../libs/mapping/src/methods/standard-environment.js';

/** The end of a run, and what it paid and took. */
export interface Measured {
  /** `made` a result, `failed` as templates fail, ended at a `limit`, or let an error of the host `escape`. */
  outcome: 'made' | 'failed' | 'limit' | 'escape';
  /** The text of the failure. */
  message: string;
  steps: number;
  bytes: number;
  /** Milliseconds of processor time. */
  time: number;
  /** Bytes of the heap, and beside it, that are more than before while the result is held. */
  held: number;
}

export const surroundings = { now: () => 1_767_225_600_000, random: () => 0.5 };

/** Runs a template once by one of the two tiers. No deadline, so that what it pays is the same each time. */
export function measureTemplate(
  source: string,
  input: Value,
  {
    generateAfter = Infinity,
    limits = {},
    collects = true,
    environment = standardEnvironment,
  }: {
    generateAfter?: number;
    limits?: Partial<Limits>;
    collects?: boolean;
    environment?: Environment;
  } = {},
): Measured {
  const template = compileTemplate(source, { generateAfter, environment });
  const whole = { ...maxLimits, deadlineMs: Infinity, ...limits };
  const run = new Run(Nothing, input, {}, whole, surroundings, noTemplates);
  if (collects) collectAll();
  const before = held();
  const begun = process.cpuUsage();
  let [outcome, message]: [Measured['outcome'], string] = ['made', ''];
  let root: Value;
  try {
    const made = template.run(input, { within: run });
    ({ root } = made);
    // A run of its own would do so at its end.
    if (template.multiplies) for (const one of [root, made.metadata]) measure(one, run);
  } catch (error) {
    root = undefined;
    if (error instanceof LimitError)
      [outcome, message] = ['limit', `${error.limit}: ${error.message}`];
    else if (error instanceof RunError) [outcome, message] = ['failed', error.message];
    else [outcome, message] = ['escape', String(error)];
  }
  const { user, system } = process.cpuUsage(begun);
  if (collects) collectAll();
  const after = held();
  kept = root;
  return {
    outcome,
    message,
    steps: whole.fuel - run.fuelLeft,
    bytes: whole.bytes - run.bytesLeft,
    time: (user + system) / 1_000,
    held: Math.max(0, after - before),
  };
}

/** The last result, which is held while it is measured. */
export let kept: Value;

/** V8 frees buffers beside the program, behind a collection; the next one waits until they are gone. */
function collectAll(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
