import { Agent, type Dispatcher } from 'undici';
import { type OperationId, recordOutline } from '#contract';
import { NoPauses } from '#egress';
import { compileDocument } from '@onefold/mapping';
import { type ClientFunctions, readFunctions } from '#provider-document';
import { type KeyPair } from '../harness/certificates.js';
import { isSame, type Json } from '#apps/provider-kit';
import { OverSystem } from '../harness/fakes/over-system.js';
import {
  bodyOf,
  type Exchange,
  loadJudge,
  readAnswers,
  readRecordedFiles,
  type Replay,
  type ReplayOptions,
  startReplay,
} from './exchanges.js';
import type { ForeignList, VendorTable } from './table.js';

/** The least share of the leaves of the raw records that must be in ours, or in `unmapped`. */
const minCoverage = 0.95;
const sources = new URL('../../../libs/providers/', import.meta.url);
const built = new URL('../../libs/providers/', import.meta.url);

type At = (value: unknown, pointer: string) => unknown[];

/** The outcome of an operation over the answers of others. */
export interface RanList {
  records: number;
  /** The vendor's records that were recorded; the others are stubs. */
  recorded: number;
  /** Share of the leaves of the raw records that arrived, from 0 to 1. */
  coverage: number;
  /** Faults: records that are missing, twice or not of the vendor, leaves that are lost, values that are not ours. */
  faults: string[];
}

/** Runs an operation of a vendor over what others saw the vendor answer. */
export async function runList(
  table: VendorTable,
  list: ForeignList,
  certificate: KeyPair,
): Promise<RanList> {
  const { replay, folder, functions, runs } = await openList(table, list, certificate);
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const records: Json[] = [];
    for (const { configuration, path } of runs) {
      const over = new OverSystem(folder, table.provider, configuration, {
        strict: false,
        pauses: new NoPauses(() => undefined),
        functions,
        detour: () => leadTo(replay, agent),
      });
      try {
        records.push(...(await readRecords(over, list, path)));
      } finally {
        await over.close();
      }
    }
    return await compareRecords(list, records, replay, await readRecordedFiles(table.vendor));
  } finally {
    await agent.close();
    await replay.close();
  }
}

/** An operation over what others saw. */
interface OpenList {
  replay: Replay;
  /** The vendor's folder, and the functions of its client.ts. */
  folder: URL;
  functions: ClientFunctions;
  runs: Run[];
}

/** Starts the replay of what others saw the vendor answer to an operation. */
export async function openList(
  table: VendorTable,
  list: ForeignList,
  certificate: KeyPair,
): Promise<OpenList> {
  const tls = { key: certificate.key, cert: certificate.certificate };
  const replay = await startReplay(table.vendor, { tls, ...(await servedOf(table, list)) });
  return {
    replay,
    folder: new URL(`${table.folder}/`, sources),
    functions: await readFunctions(new URL(`${table.folder}/`, built)),
    runs: runsOf(table, list, replay),
  };
}

/** Sends every request to the replay, which tells hosts apart by their names. */
function leadTo({ url }: Replay, agent: Agent): Dispatcher.Dispatch {
  return (options, handler) => {
    const { host } = new URL(String(options.origin));
    const headers = { ...(options.headers as Record<string, string>), host };
    return agent.dispatch({ ...options, origin: url, headers }, handler);
  };
}

/** Returns the exchanges that a list is read from: those with requests, or the answer that is given. */
async function servedOf(
  { vendor }: VendorTable,
  { given, has, serve = {}, as = {}, take = {} }: ForeignList,
): Promise<Omit<ReplayOptions, 'tls'>> {
  const alias = Object.entries(as).map(([asked, answered]): [string, string, string] => {
    const [, path = ''] = asked.split(' ');
    const [method = '', other = ''] = answered.split(' ');
    return [`^${path}$`, other, method];
  });
  const exchangesOf = (body: unknown, file = 'also'): ReplayOptions['also'] =>
    Object.entries(serve).map(([request, mapping]) => {
      const [method = '', path = ''] = request.split(' ');
      const made = mapping === 'root = this' ? body : runText(mapping, body);
      return { file, request: { method, path }, response: { status: 200, ...written(made) } };
    });
  if (given === undefined) return { also: exchangesOf({}), alias, hold: leaveOut(take) };
  const { at } = await loadJudge();
  const answers = (await readAnswers(vendor)).filter(
    ({ call, request: { method, path }, response }) =>
      given === (path === null ? call : `${method} ${path}`) &&
      (has === undefined || at(bodyOf(response), has).length > 0),
  );
  const [answer] = answers;
  if (answer === undefined)
    throw new Error(`${vendor} has no answer ${given} with ${has ?? 'anything'}`);
  const { body, text } = answer.response;
  return { also: exchangesOf(body ?? text, answer.file), alias, hold: () => true };
}

/** The body of an answer that is made: a text is XML. */
function written(body: unknown): Partial<Exchange['response']> {
  if (typeof body !== 'string') return { body };
  return { text: body, headers: { 'content-type': 'text/xml' } };
}

/** Leaves out all recorded answers to some requests but one. */
function leaveOut(take: Record<string, number>): (exchange: Exchange) => boolean {
  const counts = new Map<string, number>();
  return ({ request }) => {
    const name = `${request.method} ${request.path}`;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return name in take && take[name] !== number;
  };
}

function runText(mapping: string, body: unknown): unknown {
  const document = { engine: 'bloblang_direct', version: '1.0', templates: { default: mapping } };
  return compileDocument(JSON.stringify(document)).run(body)?.record;
}

interface Run {
  configuration: Record<string, unknown>;
  path: Record<string, string>;
}

/** Lists what an operation is run with: the configuration and the path of the table, once for each recorded path where they have a `*`. */
function runsOf(
  { configuration }: VendorTable,
  { answers, path = {} }: ForeignList,
  replay: Replay,
): Run[] {
  if (!JSON.stringify([configuration, path]).includes('*')) return [{ configuration, path }];
  const [method, patterns = ''] = answers.split(' ');
  const pattern = patternOf(patterns.split('|')[0] ?? '');
  const parts = replay.exchanges
    .filter(({ request, response }) => request.method === method && response.status < 300)
    .flatMap(({ request }) => {
      const found = pattern.exec((request.path ?? '').replace(/\/$/, ''));
      return found === null ? [] : [found.slice(1).map((part) => decodeURIComponent(part))];
    });
  const different = new Map(parts.map((found) => [found.join('/'), found]));
  return [...different.values()].map((found) => {
    const left = [...found];
    const fill = <T>(values: Record<string, T>): Record<string, T> =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'string'
            ? (value.replaceAll('*', () => left.shift() ?? '') as T)
            : value,
        ]),
      );
    return { configuration: fill(configuration), path: fill(path) };
  });
}

async function readRecords(
  over: OverSystem,
  list: ForeignList,
  path: Record<string, string>,
): Promise<Json[]> {
  const { operation, query = {}, pages = Infinity } = list;
  const records: Json[] = [];
  let page = 0;
  let cursor: string | undefined;
  do {
    const asked = cursor === undefined ? query : { ...query, cursor };
    const { status, body } = await over.call(operation, { path, query: asked });
    if (status >= 300) throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
    const { result = body, messages } = body as { result?: Json | Json[]; messages?: Json };
    if (messages !== undefined) throw new Error(JSON.stringify(messages));
    records.push(...[result].flat());
    cursor = (body['cursor'] as string | undefined) || undefined;
    page += 1;
  } while (cursor !== undefined && page < pages);
  return records;
}

async function compareRecords(
  list: ForeignList,
  records: Json[],
  replay: Replay,
  recordedFiles: ReadonlySet<string>,
): Promise<RanList> {
  const { at, compare } = await loadJudge();
  const answered = replay.exchanges.filter((one) => one.served > 0 && isAnswer(list, one));
  const raw = answered.flatMap(({ response, file }) =>
    at(bodyOf(response), list.records)
      .filter((record) => list.except === undefined || at(record, list.except).length === 0)
      .filter((record) =>
        Object.entries(list.where ?? {}).every(
          ([pointer, value]) => at(record, pointer)[0] === value,
        ),
      )
      .map((record) => ({ id: idOf(record, list.id, at), record, file })),
  );
  const dropped = Object.keys(list.dropped ?? {});
  const found = compare(
    raw,
    records,
    dropped.length > 0 ? { ignore: new RegExp(dropped.join('|')) } : {},
  );
  const lost = found.lost.map(([path, count]) => `${path} ${count}`).join(', ');
  return {
    records: records.length,
    recorded: raw.filter(({ file }) => recordedFiles.has(file)).length,
    coverage: found.coverage,
    faults: [
      ...replay.unknown.map(({ method, url }) => `nobody saw an answer to ${method} ${url}`),
      ...(raw.length === 0 ? [`no answer to ${list.answers} was asked for`] : []),
      ...(found.missing.length > 0 ? [`missing: ${found.missing.join(' ')}`] : []),
      ...(found.twice.length > 0 ? [`twice: ${found.twice.join(' ')}`] : []),
      ...(found.extra > 0 ? [`${found.extra} records are none of the vendor's`] : []),
      ...(found.coverage < minCoverage && keepsTheRest(list.operation)
        ? [`${(found.coverage * 100).toFixed(1)} % of the leaves arrived; lost: ${lost}`]
        : []),
      ...valueFaults(list, raw, records, at),
    ],
  };
}

/** Whether the records of an operation have a place for what they have no field for. */
export function keepsTheRest(operation: OperationId): boolean {
  return recordOutline(operation)?.names.includes('unmapped') ?? true;
}

function idOf(record: unknown, id: string, at: At): string {
  if (!id.includes('{')) return String(at(record, id)[0]);
  return id.replace(/\{([^}]+)\}/g, (_, pointer: string) => String(at(record, pointer)[0]));
}

function isAnswer({ answers }: ForeignList, { request }: Exchange): boolean {
  const [method, path = ''] = answers.split(' ');
  return (
    (request.method ?? method) === method &&
    patternOf(path).test((request.path ?? '').replace(/\/$/, ''))
  );
}

/** Returns the expression of a path in which `*` stands for a part, or for the rest of one, and `|` is between several. */
function patternOf(path: string): RegExp {
  const text = path.replace(/[.+?^${}()[\]\\]/g, '\\$&').replaceAll('*', '([^/]+)');
  return new RegExp(`^(?:${text})$`);
}

/** Holds the values that people act on against the table. A value that the table does not have is a fault too: nobody has looked at it. */
function valueFaults(
  { values = {}, same }: ForeignList,
  raw: readonly { id: string; record: unknown }[],
  records: readonly Json[],
  at: At,
): string[] {
  if (same === undefined)
    return Object.keys(values).length > 0
      ? ['values need same: the pointer to the id in a record of ours']
      : [];
  const ours = new Map(
    records.map((record) => [String(at(record, same)[0]).toLowerCase(), record]),
  );
  const faults = raw.flatMap(({ id, record }) =>
    Object.entries(values).flatMap(([pointers, pairs]) => {
      const [theirs = '', mine = ''] = pointers.split(' -> ');
      const [given] = at(record, theirs) as (string | number | boolean | null)[];
      const value = String(given ?? '');
      const [got = null] = at(ours.get(id.toLowerCase()), mine);
      if (typeof pairs === 'string')
        return value === '' || isSame(pairs, value, got)
          ? []
          : [`${pointers} of ${value} is ${JSON.stringify(got)}, and not the ${pairs}`];
      if (!(value in pairs))
        return [`${pointers} has no line for ${value}, which is ${JSON.stringify(got)}`];
      return JSON.stringify(got) === JSON.stringify(pairs[value])
        ? []
        : [
            `${pointers} of ${value} is ${JSON.stringify(got)} and not ${JSON.stringify(pairs[value])}`,
          ];
    }),
  );
  return [...new Set(faults)];
}
