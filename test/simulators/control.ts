import { type Fault, faultKinds, type Faults } from './faults.js';
import type { Log } from './log.js';
import type { Answer, Vendor } from './vendor.js';

/** Path prefix of control requests, outside of any vendor's paths: tests set faults with them, and read the log. */
export const controlPrefix = '/_simulator/';

/** Objects that the commands work on. */
export interface Controlled {
  faults: Faults;
  log: Log;
  vendor: Vendor;
  reset: () => void;
  setLimit: (requests: number, seconds: number) => void;
}

type Input = Record<string, unknown>;

const commands: Record<string, (simulator: Controlled, input: Input) => unknown> = {
  'POST fault': (simulator, input) => simulator.faults.add(asFault(input)),
  'DELETE fault': (simulator) => simulator.faults.clear(),
  'GET requests': ({ log }) => log.requests,
  'DELETE requests': ({ log }) => log.clear(),
  'GET violations': ({ log }) => log.violations,
  'POST reset': (simulator) => simulator.reset(),
  'POST seed': ({ vendor }, input) => vendor.seed(wholeNumber(input, 'count', 10_000)),
  'POST limit': (simulator, input) =>
    simulator.setLimit(
      wholeNumber(input, 'requests', 1_000_000),
      wholeNumber(input, 'seconds', 86_400),
    ),
};

export function control(
  simulator: Controlled,
  method: string,
  path: string,
  input: unknown,
): Answer {
  const command = commands[`${method} ${path.slice(controlPrefix.length)}`];
  if (command === undefined)
    return { status: 404, body: { message: `commands: ${Object.keys(commands).join(', ')}` } };
  try {
    const result = command(simulator, (input ?? {}) as Input);
    return result === undefined ? { status: 204 } : { status: 200, body: result };
  } catch (error) {
    return { status: 400, body: { message: (error as Error).message } };
  }
}

function asFault(input: Input): Fault {
  const kind = faultKinds.find((each) => each === input['kind']);
  if (kind === undefined) throw new Error(`kind is one of ${faultKinds.join(', ')}`);
  return { ...(input as unknown as Fault), kind };
}

function wholeNumber(input: Input, name: string, maximum: number): number {
  const value = input[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > maximum)
    throw new Error(`${name} is a whole number from 1 to ${maximum}`);
  return value;
}
