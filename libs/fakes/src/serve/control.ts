import type { FakeEngine } from '../engine/fake-engine.js';
import type { FaultRule } from '../engine/faults.js';
import type { FakeResponse } from '../engine/messages.js';
import { writeBody } from '../engine/write-response.js';
import type { FakeClock } from './fake-clock.js';

/** Outside of the paths of any vendor: what tests tell a fake, and ask it. */
export const controlPrefix = '/_fake/';

/** A fake that can be controlled from outside. */
export interface Controlled {
  readonly engine: FakeEngine;
  readonly clock: FakeClock;
  /** Goes back to the state of the start. */
  reset: () => void;
  /** Answers requests in place of the engine, which it asks; the engine when absent. */
  readonly handle?: FakeEngine['handle'];
}

type Input = Readonly<Record<string, unknown>>;
type Command = (fake: Controlled, input: Input) => unknown;

const maxSeconds = 366 * 86_400;
const maxRequests = 1_000_000;

const commands: Readonly<Record<string, Command>> = {
  'POST fault': ({ engine }, input) => engine.faults.add(input as unknown as FaultRule),
  'DELETE fault': ({ engine }) => engine.faults.clear(),
  'GET requests': ({ engine }) => engine.log.requests,
  'DELETE requests': ({ engine }) => engine.log.clear(),
  'GET violations': ({ engine }) => engine.log.violations,
  'GET credentials': ({ engine }) => engine.credentials(),
  'GET unreached': ({ engine }) =>
    engine.document.routes.map(({ key }) => key).filter((key) => !engine.reached.has(key)),
  'POST limit': ({ engine }, input) => {
    engine.limits.clear();
    engine.limits.override = {
      requests: numberOf(input, 'requests', maxRequests),
      seconds: numberOf(input, 'seconds', maxSeconds),
    };
  },
  'DELETE limit': ({ engine }) => {
    engine.limits.clear();
    engine.limits.override = undefined;
  },
  'POST clock': ({ clock }, input) => clock.advance(numberOf(input, 'seconds', maxSeconds)),
  'POST reset': (fake) => fake.reset(),
};

/** Runs a command on a fake. */
export function control(
  fake: Controlled,
  method: string,
  path: string,
  body: Uint8Array,
): FakeResponse {
  const command = commands[`${method} ${path.slice(controlPrefix.length)}`];
  if (command === undefined)
    return response(404, { message: `known commands: ${Object.keys(commands).join(', ')}` });
  try {
    const text = Buffer.from(body).toString();
    const result = command(fake, (text === '' ? {} : JSON.parse(text)) as Input);
    return result === undefined ? response(204) : response(200, result);
  } catch (error) {
    return response(400, { message: (error as Error).message });
  }
}

function response(status: number, body?: unknown): FakeResponse {
  return {
    status,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? new Uint8Array() : writeBody(body),
  };
}

function numberOf(input: Input, name: string, maximum: number): number {
  const value = input[name];
  if (typeof value !== 'number' || !(value > 0) || value > maximum)
    throw new Error(`${name} must be a number above 0, up to ${maximum}`);
  return value;
}
