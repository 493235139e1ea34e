import { formatJson } from '../../libs/mapping/src/language/json.js';
import { maxLimits } from '../../libs/mapping/src/language/limits.js';
import { Run } from '../../libs/mapping/src/language/run.js';
import { LimitError, RunError } from '../../libs/mapping/src/language/run-error.js';
import { compileTemplate, type CompileOptions } from '../../libs/mapping/src/document/template.js';
import { Deleted, Nothing, type Value } from '../../libs/mapping/src/language/values.js';

export const closures: CompileOptions = { generateAfter: Infinity };
export const generatedCode: CompileOptions = { generateAfter: 0 };

/** Everything that shows of a run, for comparing tiers: the result or the failure, metadata, and the fuel that is left. */
export function outcomeOf(
  source: string,
  input: Value,
  options: CompileOptions,
  fuel = maxLimits.fuel,
): string {
  const refuse = (): never => {
    throw new RunError('there is no other template');
  };
  const surroundings = { now: () => 1_767_225_600_000, random: () => 0.5 };
  const run = new Run(Nothing, input, {}, { ...maxLimits, fuel }, surroundings, refuse);
  const { limits } = run;
  const template = compileTemplate(source, options);
  try {
    const { root, metadata } = template.run(input, { metadata: { m: 1 }, limits, within: run });
    return `${shown(root)} ${shown(metadata)} fuel ${run.fuelLeft}, bytes ${run.bytesLeft}`;
  } catch (error) {
    // How many calls the stack of the process holds differs between the tiers, and ends them alike.
    if (error instanceof LimitError)
      return error.limit === 'depth' ? 'limit: depth' : `limit: ${error.message}`;
    if (error instanceof RunError)
      return `failure: ${error.message}, fuel ${run.fuelLeft}, bytes ${run.bytesLeft}`;
    throw error;
  }
}

export function shown(value: Value): string {
  if (value === Deleted || value === Nothing) return String(value);
  try {
    return formatJson(value);
  } catch (error) {
    if (error instanceof RunError) return error.message;
    throw error;
  }
}
