import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId, operationOf } from '#contract';
import type { FaultRule } from '#fakes';
import { idOf, listFaults } from '../harness/list-checks.js';
import {
  MockClient,
  mockOverFake,
  mockSources,
  readDescription,
  stepsOf,
} from '../harness/mock-over-fake.js';
import type { OverFake } from '../harness/over-fake.js';
import type { Answer, Json, Request } from '../harness/over-provider.js';
import { mockWalks } from './mock-walks.js';
import {
  excusedFailures,
  incomparableFields,
  limitsWithoutTime,
  notEvenOnce,
} from './over-fakes.js';
import { Walker } from './walk.js';

beforeAll(() => loadValidators());

const walked = mockSources().flatMap((source) => {
  const walk = mockWalks.find(({ type }) => type === source.mock);
  return walk === undefined ? [] : [{ source, walk }];
});

describe.each(walked.map((one) => [one.source.type, one] as const))('%s', (type, one) => {
  let over: OverFake;
  /** The requests that succeeded first, by operation. */
  const requests = new Map<OperationId, Request>();
  const failures: string[] = [];
  const excused = new Set<string>();

  beforeAll(async () => {
    const { folder, mock } = one.source;
    over = await mockOverFake({ folder, type: mock, ...(await readDescription(folder)) });
    over.fake.limits.override = unlimited;
  });

  it('takes the input of its walk, with world, contract and OCSF as they are', async () => {
    const client = new MockClient(over);
    client.onCall = async (id, request) => {
      if (requests.has(id)) return;
      requests.set(id, request);
      const { routes, faults } = await over.aside(() => watchRequests(over, id, request));
      failures.push(...faults, ...(await failuresOf(over, id, request, { routes, excused })));
    };
    await new Walker(client, {
      values: { unique: `Needle of ${type}` },
      offers: () => true,
      hasProvider: true,
    }).run({ name: type, steps: stepsOf(over, one.walk.steps) });
    const offered = Object.keys(over.provider.operations) as OperationId[];
    expect(offered.filter((id) => !requests.has(id))).toEqual([]);
  });

  it('reports 401, 403, 404 and 429 of each request of each operation, and shows what the vendor sent', () => {
    expect(failures).toEqual([]);
    const known = Object.keys(excusedFailures).filter((key) => key.startsWith(`${type} `));
    expect(known.filter((key) => !excused.has(key))).toEqual([]);
  });

  it('has each row of each list once while rows are added, and counts, filters and orders them as here', async () => {
    const faults: string[] = [];
    for (const [id, { path = {} }] of requests) {
      const { response, method, query } = operationOf(id);
      const isList = response.cursor && response.kind !== 'binary' && query['limit'] !== undefined;
      if (!isList || method !== 'GET') continue;
      const found = await checkList(over, id, path, checksLists(one.source.folder));
      faults.push(...found.map((fault) => `${id}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

/** True for vendors whose own specs compare filters and orders of their lists, with fields to leave out. */
function checksLists(folder: string): boolean {
  const place = new URL(`../../libs/providers/${folder}/`, import.meta.url);
  return readdirSync(place)
    .filter((name) => name.endsWith('.spec.js'))
    .some((name) => readFileSync(new URL(name, place), 'utf8').includes('listFaults('));
}

const statuses = [401, 403, 404, 429] as const;
const waitSeconds = 900;

/** Rate limits of the vendors have tests of their own. */
const unlimited = { requests: 1e6, seconds: 60 };

/** Token requests: a refused token has tests of its own. */
const isTokenRequest = (url: string) => /token$/.test(new URL(url).pathname);

/**
 * Runs an operation and sees which requests it makes.
 * @returns the routes of its requests in their order, and what is wrong with `api/response`
 */
async function watchRequests(
  over: OverFake,
  id: OperationId,
  request: Request,
): Promise<{ routes: (string | null)[]; faults: string[] }> {
  over.fake.limits.override = unlimited;
  over.answered = [];
  const { body } = await over.call(id, { ...request, meta: ['api/response(primary)'] });
  const sent = over.answered.map(({ text }) => text);
  const unsent = operationOf(id).query['include_raw_data']
    ? await unsentData(over, id, request)
    : [];
  over.answered = undefined;
  const routes = over.fake.log.requests
    .filter(({ path }) => !path.endsWith('token'))
    .map(({ method, path, route }) => route ?? `${method} ${path}`);
  const shown = (body['meta'] as Json | undefined)?.['api']?.response?.primary?.response as unknown;
  // Responses without a body, and files, have no place for it.
  const isShown = shown === undefined || (typeof shown === 'string' && sent.includes(shown));
  return {
    routes,
    faults: [
      ...(isShown ? [] : [`${id} shows what was not sent: ${JSON.stringify(shown)}`]),
      ...unsent,
    ],
  };
}

/** Calls an operation with `include_raw_data`. @returns values of the raw data that the vendor has not sent */
async function unsentData(over: OverFake, id: OperationId, request: Request): Promise<string[]> {
  const query = { ...request.query, include_raw_data: true };
  const { status, body } = await over.call(id, { ...request, query });
  const sent = (over.answered ?? []).map(({ text }) => text).join('\n');
  const records = [body['result'] as unknown].flat() as Json[];
  if (status >= 300 || records.length === 0) return [];
  const raw = records.map((record) => record['raw_data'] as unknown);
  if (!raw.every((one) => typeof one === 'string')) return [`${id} has records without raw_data`];
  const left = raw.flatMap((one) => leavesOf(JSON.parse(one)));
  const unsent = [...new Set(left)].filter((one) => !sent.includes(one));
  return unsent.length === 0
    ? []
    : [`${id} has raw_data not sent: ${unsent.slice(0, 5).join(', ')}`];
}

/** Texts and numbers in a value, as JSON has them. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)];
  return typeof value === 'number' ? [String(value)] : [];
}

/** Runs an operation once for each kind of request that it makes and each status, with which that request and all later ones are refused. */
async function failuresOf(
  over: OverFake,
  id: OperationId,
  request: Request,
  { routes, excused }: { routes: readonly (string | null)[]; excused: Set<string> },
): Promise<string[]> {
  const faults: string[] = [];
  const first = [...new Set(routes)].map((route) => routes.indexOf(route));
  for (const status of statuses)
    for (const index of first) {
      let seen = -1;
      const answer = await over.aside(async () => {
        over.fake.limits.override = unlimited;
        over.intercept = ({ url }) => {
          if (isTokenRequest(url)) return undefined;
          seen += 1;
          return seen < index ? undefined : refusal(status);
        };
        return await over.call(id, request);
      });
      over.intercept = undefined;
      const key = `${over.provider.type} ${id} ${status}`;
      const wrong = wrongIn(answer, status, over.provider.type, id);
      if (wrong !== undefined && excusedFailures[key] !== undefined) excused.add(key);
      else if (wrong !== undefined) faults.push(`${key}, request ${index}: ${wrong}`);
    }
  return faults;
}

function refusal(status: (typeof statuses)[number]): FaultRule {
  return status === 429 ? { kind: 'limited', seconds: waitSeconds } : { kind: 'status', status };
}

/** Judges the response to a request that the vendor refused. @returns what is wrong with it, or undefined */
function wrongIn(
  { status, body, headers = {} }: Answer,
  refused: (typeof statuses)[number],
  type: string,
  id: OperationId,
): string | undefined {
  const {
    message = '',
    remediation = '',
    context,
    cursor = '',
    messages,
  } = body as {
    message?: string;
    remediation?: string;
    cursor?: string;
    messages?: { problems?: { instance: string }[] };
    context?: { provider_details?: Record<string, string> };
  };
  const { needs } = context?.provider_details ?? {};
  const text = `${status} ${JSON.stringify(body).slice(0, 400)}`;
  // A step may accept the refusal as a result, which the contract was held against.
  if (refused === 404 && status === operationOf(id).response.status) return undefined;
  // A list goes on without a part that is refused, and returns the rows that it has when a later page cannot be had for now.
  const isPart =
    messages?.problems?.some(({ instance }) => instance.endsWith('-left-out')) === true;
  if (status === 200 && (refused === 429 ? cursor !== '' : isPart)) return undefined;
  const wanted = { 401: 502, 403: 502, 404: 404, 429: 429 }[refused];
  if (status !== wanted) return `it answers ${text}`;
  if (refused === 429) {
    const wait = Number(headers['retry-after']);
    if (limitsWithoutTime.has(type)) return wait === 1 ? undefined : `wait ${wait} s`;
    return wait > waitSeconds - 60 && wait <= waitSeconds + 60 ? undefined : `wait ${wait} s`;
  }
  if (context?.provider_details?.['status'] !== String(refused))
    return `it hides the status: ${text}`;
  if (refused !== 404 && !message.includes('crd_1')) return `it names no credential: ${text}`;
  if (refused === 403 && needs !== undefined && !remediation.includes(`"${needs}"`))
    return `it does not name the permission ${needs}: ${text}`;
  return undefined;
}

/** Compares a list with itself: see {@link listFaults}; and reads it again while rows are added to the vendor between its pages. */
async function checkList(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  hasOwnChecks: boolean,
): Promise<string[]> {
  const rows = await over.all(id, {}, path);
  const faults: string[] = [];
  if (rows.length === 0) return ['it is empty'];
  const { body } = await over.call(id, { path, query: { limit: 0 }, meta: ['stats/count()'] });
  const count = body['meta']?.stats?.count?.['*'] as unknown;
  if (count !== rows.length) faults.push(`stats/count is ${String(count)}, not ${rows.length}`);
  const except = incomparableFields[`${over.provider.type} ${id}`] ?? [];
  if (rows.length > 3 && !hasOwnChecks)
    faults.push(...(await listFaults(over, id, { path, except })));
  const lost = await over.aside(() => rowsLostByAdditions(over, id, path, rows));
  const reason = notEvenOnce[`${over.provider.type} ${id}`];
  if (lost.length > 0 && reason === undefined) faults.push(...lost);
  if (lost.length === 0 && reason !== undefined)
    faults.push('it is listed in notEvenOnce, but has each row once');
  return faults;
}

/** Reads a list in pages, and adds rows to the vendor's lists after each page. */
async function rowsLostByAdditions(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  rows: Json[],
): Promise<string[]> {
  over.fake.limits.override = unlimited;
  const limit = Math.max(1, Math.ceil(rows.length / 3));
  const read: string[] = [];
  let cursor = '';
  for (let page = 0; page < 100; page += 1) {
    over.fake.log.clear();
    const { body } = await over.call(id, { path, query: { limit, cursor } });
    read.push(...((body['result'] ?? []) as Json[]).map(idOf));
    cursor = String(body['cursor'] ?? '');
    if (cursor === '') break;
    if (page > 1) continue; // or a list with one row on each page would never end
    const routes = new Set(over.fake.log.requests.map(({ route }) => route));
    const collections = over.listedCollections([...routes]);
    for (const collection of collections) await over.addCopies(collection);
  }
  const faults: string[] = [];
  const before = new Set(rows.map(idOf));
  const missing = [...before].filter((key) => !read.includes(key));
  if (missing.length > 0) faults.push(`${missing.length} of ${before.size} rows are lost`);
  // Copies of rows whose ids come from other fields cannot be told from their originals.
  const after = (await over.all(id, {}, path)).map(idOf);
  const alike = new Set(after.filter((key, index) => after.indexOf(key) < index));
  const twice = read.filter((key, index) => read.indexOf(key) < index && !alike.has(key));
  if (twice.length > 0) faults.push(`${twice.length} rows come twice`);
  return faults;
}
