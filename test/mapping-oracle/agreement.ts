import { outcomeOf, closures, generatedCode, shown } from './outcome.js';
import { MappingError } from '../../libs/mapping/src/language/mapping-error.js';
import { parseTemplate } from '../../libs/mapping/src/language/parse.js';
import { maxLimits } from '../../libs/mapping/src/language/limits.js';
import { Run } from '../../libs/mapping/src/language/run.js';
import { RunError } from '../../libs/mapping/src/language/run-error.js';
import { Nothing, type Value } from '../../libs/mapping/src/language/values.js';
import { ask, TooDeep } from './oracle.js';

const surroundings = { now: () => 1_767_225_600_000, random: () => 0.5 };

/** The oracle's result or failure; undefined where it cannot tell. */
function oracleOutcome(source: string, input: Value): string | undefined {
  const refuse = (): never => {
    throw new RunError('the oracle applies its own maps');
  };
  const run = new Run(Nothing, input, { m: 1 }, maxLimits, surroundings, refuse);
  try {
    const root = ask(parseTemplate(source), input, run);
    return `${shown(root)} ${shown(run.metadata)}`;
  } catch (error) {
    if (error instanceof RunError) return `failure: ${error.message}`;
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** The outcomes of a comparison that do not agree. */
export interface Disagreement {
  source: string;
  input: Value;
  outcomes: Record<string, string | undefined>;
}

/** Whether a program is one, and what the three say of it. */
export function compareAll(
  source: string,
  input: Value,
  fuel?: number,
): 'refused' | 'agreed' | Disagreement {
  const before = JSON.stringify(input, numbers);
  let outcomes: Record<string, string | undefined>;
  try {
    outcomes = {
      closures: outcomeOf(source, input, closures, fuel),
      generated: outcomeOf(source, input, generatedCode, fuel),
    };
  } catch (error) {
    if (error instanceof MappingError) return 'refused';
    throw error;
  }
  const { closures: first = '', generated } = outcomes;
  const isLimited = first.startsWith('limit: ');
  const oracle = isLimited ? undefined : oracleOutcome(source, input);
  outcomes = { ...outcomes, oracle, input: JSON.stringify(input, numbers) };
  const agree =
    first === generated &&
    (oracle === undefined || first.replace(/,? fuel \d+, bytes \d+$/, '') === oracle) &&
    before === outcomes['input'];
  return agree ? 'agreed' : { source, input, outcomes };
}

const numbers = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

/** Whether a text compiles; anything but its own errors is thrown on. */
export function compileAny(source: string, input: Value): 'refused' | 'ran' {
  try {
    outcomeOf(source, input, closures, 10_000);
    return 'ran';
  } catch (error) {
    if (error instanceof MappingError) return 'refused';
    throw error;
  }
}
