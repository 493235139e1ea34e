import type { OperationId } from '#contract';
import type { FakeDocument } from '#fakes';
import type { Field, Fields } from '#query';
import { identityOf, valueAt } from '../record-identity.js';
import { domainOperations } from '../folders.js';
import { findReads } from '../variation/find-reads.js';
import { type FakeSetup, openFake } from './fake-setup.js';
import type { OverFake } from './over-fake.js';
import type { Json } from './over-provider.js';
import { isList } from './own-lists.js';
import { readWhole } from './sent-rows.js';

/** Rows of each collection of the smaller vendor; the larger one has copies of them, the newest ten minutes older. */
const fewRows = 30;
const partsOfCollection = 5;
/** Pages of the dataset ODD have ten records, and a list inside of a call has a thousand pages at most. */
const maxRowsOfParts = 9_000;
/** Rows of a page, as fakes of the dataset ODD cap them. */
const pageRows = 10;
const windowMs = 5 * 60_000;
/** An offset with minutes: a filter has times of any zone. */
const zone = { ms: 20_700_000, text: '+05:45' };

/** Fields by which a caller asks for what is new or has changed. */
const pollFields =
  /^time$|(?:^|[._])(?:created|modified|updated|last_seen|first_seen)(?:_at|_time)?$/;

/** The fields of a list by which a caller polls. */
export function pollFieldsOf({ fields = {} }: { fields?: Fields }): [string, Field][] {
  return Object.entries(fields).filter(
    ([name, { type }]) => type === 'datetime' && pollFields.test(name),
  );
}

interface Cost {
  requests: number;
  /** Records that the vendor sent. */
  sent: number;
  rows: Json[];
}

/**
 * Asks each list for the records of the last five minutes, by each time of theirs, of a vendor with few records and of one with many older
 * ones besides: the second may cost no more than the first, unless the document says why (`reads_all`), and nothing new is missed.
 * @param rows of each collection of the larger vendor
 */
export async function pollFaults(setup: FakeSetup, rows: number): Promise<string[]> {
  const faults: string[] = [];
  const tried = openWith(setup, fewRows);
  const own = domainOperations(setup.type).filter(({ id }) => id in tried.provider.operations);
  const { reads } = await findReads(own, tried);
  // Calls that fail while reads are looked for pause a host.
  const few = openWith(setup, fewRows);
  const lists = reads.filter(({ operation: { id } }) => isList(id));
  const many = openWith(setup, rows);
  let ofParts: OverFake | undefined;
  for (const { operation, request } of lists) {
    const { id } = operation;
    const { path = {} } = request;
    const fields = pollFieldsOf(few.provider.operations[id] ?? {});
    if (fields.length === 0) continue;
    const began = few.now;
    const whole = await costOf(few, () => few.all(id, {}, path, { checked: false }));
    // The list of one record, such as the messages of a channel, has a part of a collection.
    const isPart = Object.keys(path).length > 0;
    const ofAllParts = Math.min(rows * partsOfCollection, maxRowsOfParts);
    const larger = isPart ? (ofParts ??= openWith(setup, ofAllParts)) : many;
    const of = { few, many: larger, whole, began, id, path };
    for (const [name, field] of fields)
      faults.push(...(await fieldFaults(of, name, field)).map((fault) => `${id}: ${fault}`));
  }
  return faults;
}

interface Polled {
  few: OverFake;
  many: OverFake;
  /** The list of the smaller vendor. */
  whole: Cost;
  /** When it was read. */
  began: number;
  id: OperationId;
  path: Record<string, string>;
}

async function fieldFaults(polled: Polled, name: string, field: Field): Promise<string[]> {
  const { few, many, whole, began, id, path } = polled;
  const timesOf = (row: Json) => times(row, name, field);
  const all = whole.rows.flatMap(timesOf);
  // The record of a state has the time of the call, and all of them are new at every call.
  if (all.length === 0 || all.every((time) => time >= began)) return [];
  const since = Math.max(...all) - windowMs;
  const filter = `${name}[gte]"${inZone(since)}"`;
  const poll = (over: OverFake) =>
    costOf(over, () => over.all(id, { filter }, path, { checked: false }));
  const [small, large] = [await poll(few), await poll(many)];
  const changed = whole.rows.filter((row) => timesOf(row).some((time) => time >= since));
  const found = new Set(large.rows.map(identityOf));
  const missed = changed.map(identityOf).filter((one) => !found.has(one));
  const reason = few.provider.operations[id]?.readsAll?.[name];
  const excess = excessOf(small, large);
  return [
    ...(missed.length > 0
      ? [`${name} misses ${missed.length} of ${changed.length} new rows, such as ${missed[0]}`]
      : []),
    ...(excess !== undefined && reason === undefined
      ? [`${name} reads the whole list: ${excess}. Say "reads_all" if the vendor cannot filter`]
      : []),
    ...(excess === undefined && reason !== undefined
      ? [`${name} reads what has changed alone, and "reads_all" is not true`]
      : []),
  ];
}

/** Says what the larger vendor costs more, beyond what its further rows need; undefined if nothing. */
function excessOf(small: Cost, large: Cost): string | undefined {
  const further = Math.max(0, large.rows.length - small.rows.length);
  const isBounded =
    large.requests <= small.requests + 1 + 2 * further &&
    large.sent <= small.sent + pageRows + 3 * further;
  return isBounded
    ? undefined
    : `${small.requests} requests and ${small.sent} records become ${large.requests} and ${large.sent}`;
}

async function costOf(over: OverFake, read: () => Promise<Json[]>): Promise<Cost> {
  over.fake.log.clear();
  const { rows, sent } = await readWhole(over, read);
  return { rows, sent, requests: over.fake.log.requests.length };
}

/** The times of a record at a field, in epoch milliseconds; `time` is another name of `created_at`. */
function times(row: Json, name: string, { path = name }: Field): number[] {
  const created = name === 'time' ? (row['created_at'] as unknown) : undefined;
  return [valueAt(row, path) ?? created]
    .flat()
    .map((value) => (typeof value === 'number' ? value : Date.parse(String(value))))
    .filter((time) => !Number.isNaN(time));
}

function inZone(time: number): string {
  return new Date(time + zone.ms).toISOString().replace('Z', zone.text);
}

type Collections = FakeDocument['collections'];
const sized = new WeakMap<Collections, Map<number, Collections>>();

/** Opens a vendor with so many records in each collection, pages of ten, and local times of another zone; all parts are licensed. */
function openWith(setup: FakeSetup, rows: number): OverFake {
  const over = openFake(setup, {
    strict: false,
    dataset: 'ODD',
    alter: (document) => ({
      ...document,
      collections: withRows(document.collections, rows, setup.excuses.few_records),
    }),
  });
  over.fake.odd.unlicensed.clear();
  return over;
}

function withRows(collections: Collections, rows: number, few: object = {}): Collections {
  const known = sized.get(collections) ?? new Map<number, Collections>();
  sized.set(collections, known);
  let made = known.get(rows);
  if (made === undefined) {
    const odd = { always: ['*'], ownNames: [], beside: [], hasBare: false, rows: 0 };
    made = new Map(
      [...collections].map(([name, one]) => [
        name,
        { ...one, maxRows: fewRows, odd: name in few ? odd : { ...odd, rows } },
      ]),
    );
    known.set(rows, made);
  }
  return made;
}
