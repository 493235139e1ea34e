import { MetaError } from './meta-error.js';
import { type Argument, type CallSyntax, type Item, parseCall } from './parse-call.js';

/** What a request wants to know beside its result; calls of one function add up. */
export interface MetaCalls {
  /** Raw answers of the provider. */
  responses?: { primary: boolean; list: boolean; urls: readonly string[] };
  /** Seconds that a provider's asynchronous work may be waited for. */
  pollSeconds?: number;
  /** Counts to make: each by a list of fields, the empty one counts all. */
  counts: readonly (readonly string[])[];
  /** Patterns of operation ids whose chains are told; an empty list means all of them. */
  chains?: readonly string[];
}

const functions = ['api/response', 'mapping/chains', 'request/poll_timeout', 'stats/count'];
const fieldForm = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
export const maxCounts = 10;

/** Reads the meta function calls of a request. @throws MetaError for the first that is wrong. */
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
        calls.pollSeconds = Math.min(calls.pollSeconds ?? Infinity, seconds(call));
        break;
      case 'stats/count':
        if (counts.length === maxCounts)
          throw wrong(
            call,
            1,
            `there are more than ${maxCounts} counts`,
            'Ask for fewer in one request.',
          );
        counts.push(facets(call));
        break;
      case 'mapping/chains': {
        const patterns = items(call, 0).map(({ text: pattern }) => pattern);
        const all = patterns.length === 0 || calls.chains?.length === 0;
        calls.chains = all ? [] : [...(calls.chains ?? []), ...patterns];
        break;
      }
      default:
        throw wrong(
          call,
          1,
          `there is no meta function "${call.name}"`,
          `There are ${functions.join(', ')}.`,
        );
    }
  }
  return calls;
}

function addResponses(
  known: MetaCalls['responses'],
  call: CallSyntax,
): NonNullable<MetaCalls['responses']> {
  const which = one(call, 0, 'primary, list or all');
  if (which.value !== 'primary' && which.value !== 'list' && which.value !== 'all')
    throw wrong(
      call,
      which.at,
      'primary, list or all belongs here',
      'Write api/response(primary).',
    );
  const urls = items(call, 1).map(({ text }) => text);
  const list = which.value !== 'primary';
  return {
    primary: which.value !== 'list' || known?.primary === true,
    list: list || known?.list === true,
    // A list without patterns is of every address, whatever another call narrows.
    urls:
      known?.list && list && (known.urls.length === 0 || urls.length === 0)
        ? []
        : [...(known?.urls ?? []), ...urls],
  };
}

function seconds(call: CallSyntax): number {
  const argument = one(call, 0, 'a number of seconds');
  none(call, 1);
  if (typeof argument.value !== 'string' || !/^\d{1,6}$/.test(argument.value))
    throw wrong(
      call,
      argument.at,
      'a whole number of seconds belongs here',
      'Write request/poll_timeout(30).',
    );
  return Number(argument.value);
}

function facets(call: CallSyntax): string[] {
  return items(call, 0).map(({ text, at }) => {
    if (!fieldForm.test(text))
      throw wrong(
        call,
        at,
        `"${text}" is not the name of a field`,
        'Write names like priority or entity.user.name.',
      );
    return text;
  });
}

/** The items of the list at a place; none when the argument is absent. A list is the last argument of every function. */
function items(call: CallSyntax, index: number): Item[] {
  none(call, index + 1);
  const argument = call.arguments[index];
  if (argument === undefined) return [];
  if (typeof argument.value === 'string')
    throw wrong(call, argument.at, 'a list belongs here', `Write [${argument.value}].`);
  return argument.value;
}

function one(call: CallSyntax, index: number, what: string): Argument {
  const argument = call.arguments[index];
  if (argument === undefined)
    throw wrong(
      call,
      call.end,
      `${what} belongs here`,
      `${call.name} has an argument that it needs.`,
    );
  return argument;
}

function none(call: CallSyntax, index: number): void {
  const argument = call.arguments[index];
  if (argument !== undefined)
    throw wrong(call, argument.at, `${call.name} takes no further argument`, 'Leave it out.');
}

function wrong(call: CallSyntax, at: number, problem: string, remedy: string): MetaError {
  return new MetaError(call.text, at, problem, remedy);
}
