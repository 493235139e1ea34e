import { ApiError, type Problem } from '#contract';
import type { OutcomeUnknown } from '../provider.js';
import type { OperationRun } from '../operation-run.js';
import { unsettled } from './keyed-write.js';

const maxNameLength = 100;
const maxDepth = 4;

/** The fields by which people know a record, the best first. */
const names = [
  'name',
  'title',
  'file_name',
  'summary',
  'short_desc',
  'content',
  'note',
  'message',
  'pattern',
  'hostname',
  'ip',
  'uid',
  'description',
  'id',
];

/** The parts of a run that a sentence about its record needs. */
type Created = Pick<OperationRun, 'call' | 'operation' | 'integration' | 'write' | 'clock'>;

/** The problem of a create that may have been carried out: which record the caller has to look for. */
export function outcomeUnknown(
  { call, operation, integration, write, clock }: Created,
  { cause, waitMs }: OutcomeUnknown,
): ApiError {
  const since = write?.since ?? new Date(clock.now());
  const what = `${nounOf(operation.id)}${nameOf(call.body)}${parentOf(call.path)}`;
  const from = since.toISOString();
  const seconds = Math.ceil((waitMs ?? 0) / 1000);
  const context = contextOf(cause);
  return new ApiError(
    409,
    `it is not known whether ${integration.providerType} has made the ${what}: the first call with this Idempotency-Key ended without an answer`,
    {
      kind: unsettled,
      detail: `The first call began at ${from}.`,
      remediation:
        waitMs === undefined
          ? `Look at the provider for the ${what}, created since ${from}. If it is there, the request was carried out and nothing is to be sent. If it is not, send the request with a new Idempotency-Key.`
          : `Send the request again in ${seconds} s with the same Idempotency-Key: until then the provider may not find what was just made.`,
      ...(waitMs === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
      ...(context && { context }),
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

function contextOf(cause: unknown): Problem['context'] {
  return cause instanceof ApiError ? cause.options.context : undefined;
}

/** Names what an operation creates, such as `ticket` of `ticketing_create_ticket`. */
function nounOf(id: string): string {
  const [, noun = ''] = id.split(/_(?:create|post)_/, 2);
  return noun === '' ? 'record' : noun.replaceAll('_', ' ');
}

function nameOf(body: unknown): string {
  const found = findName(body, 0);
  return found === undefined ? '' : ` "${found}"`;
}

/** Finds the first text in a body by which people know the record, in a list that of its first record. */
function findName(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    const first = findName(value[0], depth + 1);
    return value.length > 1 && first !== undefined
      ? `${first}" and ${value.length - 1} more of the same request, the last "${findName(value.at(-1), depth + 1) ?? first}`
      : first;
  }
  const record = value as Record<string, unknown>;
  for (const name of names) {
    const text = record[name];
    if (typeof text === 'string' && text.trim() !== '') return text.trim().slice(0, maxNameLength);
  }
  for (const one of Object.values(record)) {
    const found = findName(one, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parentOf(path: object): string {
  const ids = Object.entries(path).filter(([name]) => name.endsWith('Id') || name === 'id');
  return ids.map(([name, id]) => ` of ${name.replace(/Id$/, '')} ${String(id)}`).join('');
}
