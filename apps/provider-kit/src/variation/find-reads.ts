import type { Operation } from '#contract';
import { valueAt } from '../record-identity.js';
import type { OverFake } from '../over-fake/over-fake.js';
import type { Request } from '../over-fake/over-provider.js';

/** An operation that reads, with a request to which the fake answers. */
export interface Read {
  operation: Operation;
  request: Request;
}

/** Records of a list whose ids are tried for an operation that needs one. */
const maxTried = 8;
const maxCandidates = 24;
/** Rows of a page: enough for one change of each kind in a page, and for more than one page. */
const limit = 12;
/** Places of ids that other operations take, the usual first. */
const idPlaces = [
  'id',
  'finding_info.uid',
  'device.uid',
  'incident_uid',
  'uid',
  'metadata.uid',
  'user.uid',
  'group.uid',
  'name',
  'path',
];

/**
 * Finds a request for each reading operation: lists without a parameter first, then what takes the ids of their records.
 * @returns the requests, and the operations for which none was found
 */
export async function findReads(
  operations: readonly Operation[],
  over: OverFake,
): Promise<{ reads: Read[]; without: Operation[] }> {
  const reads: Read[] = [];
  const without: Operation[] = [];
  /** Ids of the records of a list by its path, the ids of its own path filled in, and those of all lists. */
  const ids = new Map<string, string[]>();
  const known: string[] = [];
  const readable = operations.filter(
    ({ method, response }) => method === 'GET' && response.kind === 'json',
  );
  for (const operation of [...readable].sort(
    (a, b) => parametersOf(a).length - parametersOf(b).length,
  )) {
    const found = await firstAnswered(operation, candidatesOf(operation, ids, known), over);
    if (found === undefined) {
      without.push(operation);
      continue;
    }
    reads.push({ operation, request: found.request });
    const fresh = found.records.flatMap(idsOf).slice(0, maxTried * idPlaces.length);
    ids.set(operation.path, fresh);
    known.push(...fresh);
  }
  return { reads, without };
}

async function firstAnswered(
  operation: Operation,
  candidates: readonly Record<string, string>[],
  over: OverFake,
): Promise<{ request: Request; records: unknown[] } | undefined> {
  let empty: { request: Request; records: unknown[] } | undefined;
  for (const path of candidates) {
    const request = { path, query: operation.query['limit'] === undefined ? {} : { limit } };
    const answer = await over.answerTo(operation.id, request);
    if (answer.status !== operation.response.status) continue;
    const { result } = answer.body as { result?: unknown };
    const records = result === undefined ? [answer.body] : [result].flat();
    if (records.length > 0) return { request, records };
    empty ??= { request, records };
  }
  return empty;
}

/** Paths with ids of records: of the list that the path begins with, then of any. */
function candidatesOf(
  operation: Operation,
  ids: ReadonlyMap<string, string[]>,
  known: readonly string[],
): Record<string, string>[] {
  const names = parametersOf(operation);
  const [only, ...more] = names;
  if (only === undefined) return [{}];
  if (operation.folder) return [{ [only]: '' }];
  const list = operation.path.slice(0, operation.path.indexOf(`/{${only}`));
  const own = ids.get(list) ?? [];
  const tried = [...new Set([...own, ...known])].slice(0, maxCandidates);
  if (more.length === 0) return tried.map((id) => ({ [only]: id }));
  const [second = ''] = more;
  const inner = ids.get(operation.path.slice(0, operation.path.indexOf(`/{${second}`))) ?? known;
  return own
    .slice(0, maxTried)
    .flatMap((id) => inner.slice(0, maxTried).map((other) => ({ [only]: id, [second]: other })));
}

function parametersOf({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
}

function idsOf(record: unknown): string[] {
  return idPlaces.flatMap((place) => {
    const value = valueAt(record, place);
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
}
