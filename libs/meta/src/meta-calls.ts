import { MetaError } from './meta-error.js';
import { type Argument, type CallSyntax, type Item, parseCall } from './parse-call.js';

/** The meta functions that a request calls; several calls of one function are combined. */
export interface MetaCalls {
  /** Raw responses of the provider. */
  responses?: { primary: boolean; list: boolean; urls: readonly string[] };
  /** How many seconds to wait for a provider's asynchronous work. */
  pollSeconds?: number;
  /** Counts to compute, each grouped by a list of fields; an empty list counts all records. */
  counts: readonly (readonly string[])[];
  /** Patterns of operation ids whose mapping chains are returned; an empty list means all of them. */
  chains?: readonly string[];
  /** How many records are shown on their way through the mappings. */
  tracedRecords?: number;
}

const functions = [
  'api/response',
  'mapping/chains',
  'mapping/trace',
  'request/poll_timeout',
  'stats/count',
];
const fieldForm = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
export const maxCounts = 10;
export const maxTracedRecords = 10;

/** Parses the meta function calls of a request. @throws MetaError for the first that is invalid. */
export function readMetaCalls(texts: readonly string[]): MetaCalls {
  const counts: string[][] = [];
  const calls: MetaCalls = { counts };
  for (const text of texts) {
    const call = parseCall(text);
    switch (call.name) {
      case 'api/response':
        calls.responses = addResponses(calls.responses, call);
        break;
      case 'request/poll_timeout':
        calls.pollSeconds = Math.min(calls.pollSeconds ?? Infinity, secondsArgument(call));
        break;
      case 'stats/count':
        if (counts.length === maxCounts)
          throw invalidCall(
            call,
            1,
            `there are more than ${maxCounts} counts`,
            'Ask for fewer in one request.',
          );
        counts.push(fieldArguments(call));
        break;
      case 'mapping/chains': {
        const patterns = listArgument(call, 0).map(({ text: pattern }) => pattern);
        const all = patterns.length === 0 || calls.chains?.length === 0;
        calls.chains = all ? [] : [...(calls.chains ?? []), ...patterns];
        break;
      }
      case 'mapping/trace':
        calls.tracedRecords = Math.max(calls.tracedRecords ?? 0, recordsArgument(call));
        break;
      default:
        throw invalidCall(
          call,
          1,
          `unknown meta function "${call.name}"`,
          `The meta functions are ${functions.join(', ')}.`,
        );
    }
  }
  return calls;
}

function addResponses(
  known: MetaCalls['responses'],
  call: CallSyntax,
): NonNullable<MetaCalls['responses']> {
  const which = requireArgument(call, 0, 'primary, list or all');
  if (which.value !== 'primary' && which.value !== 'list' && which.value !== 'all')
    throw invalidCall(
      call,
      which.at,
      'the argument must be primary, list or all',
      'Write api/response(primary).',
    );
  const urls = listArgument(call, 1).map(({ text }) => text);
  const list = which.value !== 'primary';
  return {
    primary: which.value !== 'list' || known?.primary === true,
    list: list || known?.list === true,
    // A call without patterns asks for every URL, so it wins over a call that narrows the list.
    urls:
      known?.list && list && (known.urls.length === 0 || urls.length === 0)
        ? []
        : [...(known?.urls ?? []), ...urls],
  };
}

function secondsArgument(call: CallSyntax): number {
  const argument = requireArgument(call, 0, 'a number of seconds');
  refuseArgument(call, 1);
  if (typeof argument.value !== 'string' || !/^\d{1,6}$/.test(argument.value))
    throw invalidCall(
      call,
      argument.at,
      'the argument must be a whole number of seconds',
      'Write request/poll_timeout(30).',
    );
  return Number(argument.value);
}

/** Returns how many records to trace; one where the call does not say it. */
function recordsArgument(call: CallSyntax): number {
  refuseArgument(call, 1);
  const argument = call.arguments[0];
  if (argument === undefined) return 1;
  const records = typeof argument.value === 'string' ? Number(argument.value) : NaN;
  if (!Number.isInteger(records) || records < 1 || records > maxTracedRecords)
    throw invalidCall(
      call,
      argument.at,
      `the argument must be a number of records from 1 to ${maxTracedRecords}`,
      'Write mapping/trace(1).',
    );
  return records;
}

function fieldArguments(call: CallSyntax): string[] {
  return listArgument(call, 0).map(({ text, at }) => {
    if (!fieldForm.test(text))
      throw invalidCall(
        call,
        at,
        `"${text}" is not the name of a field`,
        'Write names like priority or entity.user.name.',
      );
    return text;
  });
}

/** Returns the items of a list argument, or no items when it is absent. Every function takes its list as the last argument. */
function listArgument(call: CallSyntax, index: number): Item[] {
  refuseArgument(call, index + 1);
  const argument = call.arguments[index];
  if (argument === undefined) return [];
  if (typeof argument.value === 'string')
    throw invalidCall(
      call,
      argument.at,
      'the argument must be a list',
      `Write [${argument.value}].`,
    );
  return argument.value;
}

function requireArgument(call: CallSyntax, index: number, what: string): Argument {
  const argument = call.arguments[index];
  if (argument === undefined)
    throw invalidCall(
      call,
      call.end,
      `an argument is missing: it must be ${what}`,
      `${call.name} requires it.`,
    );
  return argument;
}

function refuseArgument(call: CallSyntax, index: number): void {
  const argument = call.arguments[index];
  if (argument !== undefined)
    throw invalidCall(call, argument.at, `${call.name} takes no further argument`, 'Remove it.');
}

function invalidCall(call: CallSyntax, at: number, problem: string, remedy: string): MetaError {
  return new MetaError(call.text, at, problem, remedy);
}
