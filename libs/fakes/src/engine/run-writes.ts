import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Route, Write } from '../document/fake-document.js';
import {
  difference,
  type Entry,
  firstMadeNumber,
  type LaterChange,
  rowAt,
  type Row,
} from '../state/entry.js';
import { asRow, idOf } from '../state/made-collections.js';
import type { Checks } from './checks.js';
import { FakeRefusal } from './messages.js';
import { type RequestScope, uuidOf } from './request-scope.js';

/** Result of a write, as `this.result` shows it. */
interface Result {
  outcome: 'created' | 'changed' | 'deleted' | 'same' | 'missing' | 'refused' | 'skipped';
  id: string | null;
  row: Value;
  item: Value;
  error: Value;
}

/** Runs the writes of a route, and puts what came of them into `this.results`. @throws FakeRefusal */
export function runWrites(route: Route, scope: RequestScope, checks: Checks): void {
  const { writes, each, atomic } = route;
  if (writes.length === 0) return;
  if (each === undefined) {
    const result = runFirst(writes, scope, checks);
    scope.set('result', result);
    scope.set('results', [result]);
    return;
  }
  const items = each.value(scope);
  if (!Array.isArray(items)) throw new ExpressionFailure(each.place, 'it is not a list');
  const results = items.map((item: Value) =>
    scope.during({ item }, () => runItem(writes, scope, checks, atomic)),
  );
  scope.set('results', results);
  scope.set('result', results.at(-1) ?? null);
}

function runItem(
  writes: readonly Write[],
  scope: RequestScope,
  checks: Checks,
  isAtomic: boolean,
): Result {
  const { state } = scope.rows;
  const mark = state.mark();
  try {
    return runFirst(writes, scope, checks);
  } catch (error) {
    if (isAtomic || !(error instanceof FakeRefusal)) throw error;
    state.undo(mark);
    return { ...resultOf('refused', scope), error: checks.describe(error, scope) };
  }
}

/** Runs the first of the writes whose `when` holds, and what follows it. */
function runFirst(writes: readonly Write[], scope: RequestScope, checks: Checks): Result {
  const write = writes.find(({ when }) => when?.holds(scope) ?? true);
  if (write === undefined) return resultOf('skipped', scope);
  const result = runWrite(write, scope, checks);
  for (const next of write.then) scope.during({ result }, () => runFirst([next], scope, checks));
  return result;
}

function runWrite(write: Write, scope: RequestScope, checks: Checks): Result {
  const { rows } = scope;
  const { collection } = write;
  if (write.verb === 'create') return create(write, scope, checks);
  const key = write.id?.value(scope) ?? null;
  const found = rows.find(collection, key);
  const before = found?.row ?? null;
  scope.during({ row: before }, () => checks.run(write.checks, scope));
  if (write.verb === 'put') return put(write, scope, { key, id: found?.id, before });
  if (found === undefined) {
    if (write.missing !== undefined) throw new FakeRefusal(write.missing, describeKey(key));
    return resultOf('missing', scope);
  }
  if (write.verb === 'delete') {
    store(write, scope, { id: found.id, number: found.number, row: null });
    return resultOf('deleted', scope, { id: found.id, row: shown(write, scope, before) });
  }
  const row = makeRow(write, scope, before);
  store(write, scope, { id: found.id, number: found.number, row });
  return resultOf('changed', scope, { id: found.id, row: shown(write, scope, row) });
}

function create(write: Write, scope: RequestScope, checks: Checks): Result {
  const { rows } = scope;
  const { collection, id: idQuery } = write;
  scope.during({ row: null }, () => checks.run(write.checks, scope));
  const number = rows.state.sequence();
  const row = makeNew(write, scope, number);
  const ofCollection = rows.collection(collection).id;
  const id =
    idQuery === undefined
      ? idOf(ofCollection.value({ ...scope, input: row }), ofCollection.place)
      : idOf(idQuery.value(scope), idQuery.place);
  const taken = rows.find(collection, id);
  if (taken !== undefined) {
    if (write.exists !== 'same') throw new FakeRefusal(write.exists, describeKey(id));
    return resultOf('same', scope, { id: taken.id, row: shown(write, scope, taken.row) });
  }
  store(write, scope, { id, number, row });
  return resultOf('created', scope, { id, row: shown(write, scope, row) });
}

function put(
  write: Write,
  scope: RequestScope,
  { key, id, before }: { key: Value; id: string | undefined; before: Row | null },
): Result {
  const { rows } = scope;
  const present = id === undefined ? undefined : rows.entry(write.collection, id);
  const number = present?.number ?? rows.state.sequence();
  const row = scope.during({ row: before }, () => makeNew(write, scope, number));
  const place = write.id?.place ?? write.place;
  const name = id ?? idOf(key, place);
  store(write, scope, { id: name, number, row });
  const outcome = id === undefined ? 'created' : 'changed';
  return resultOf(outcome, scope, { id: name, row: shown(write, scope, row) });
}

/** Makes a record with an id and a number for it at hand. */
function makeNew(write: Write, scope: RequestScope, number: number): Row {
  const { collection } = write;
  const { made } = scope.rows.views;
  const seq = made.rows(collection).rows.length + (number - firstMadeNumber);
  const new_id = uuidOf(`${scope.facts.seed} ${collection} ${number}`);
  return scope.during({ new_id, seq }, () => makeRow(write, scope, undefined));
}

function makeRow(write: Write, scope: RequestScope, before: Row | null | undefined): Row {
  const { row } = write;
  if (row === undefined) throw new ExpressionFailure(write.place, 'it has no row');
  // The template changes its root, which must not be the stored record.
  const made = before ? row.run(scope, structuredClone(before)) : row.run(scope);
  return asRow(made, row.place);
}

/** Stores a record, and what becomes of it later. */
function store(
  write: Write,
  scope: RequestScope,
  { id, number, row }: { id: string; number: number; row: Row | null },
): void {
  const { collection } = write;
  const { state, now } = scope.rows;
  const before = scope.rows.entry(collection, id);
  const { visibleAfterMs } = scope.rows.collection(collection);
  const pending = (before?.later ?? []).filter(({ at }) => at > now);
  const entry: Entry = {
    number,
    row,
    at: now,
    shown: now + visibleAfterMs,
    was: visibleAfterMs === 0 || before === undefined ? null : rowBefore(before, now),
    later: row === null ? [] : write.later ? [laterChange(write.later, scope, row)] : pending,
  };
  state.put(collection, id, entry);
}

/** The record that stale lists go on showing: of two changes shortly after each other that before the first. */
function rowBefore(entry: Entry, now: number): Row | null {
  return entry.shown > now ? entry.was : rowAt(entry, now);
}

function laterChange(
  { after, row: template }: NonNullable<Write['later']>,
  scope: RequestScope,
  row: Row,
): LaterChange {
  const seconds = after.value(scope);
  if (typeof seconds !== 'number') throw new ExpressionFailure(after.place, 'it is not a number');
  const changed = asRow(template.run(scope, structuredClone(row)), template.place);
  return { at: scope.now + seconds * 1_000, ...difference(row, changed) };
}

function shown({ collection }: Write, scope: RequestScope, row: Row | null): Value {
  return row === null ? null : scope.visible(collection, row);
}

function resultOf(
  outcome: Result['outcome'],
  scope: RequestScope,
  facts: Partial<Result> = {},
): Result {
  return { outcome, id: null, row: null, item: scope.input['item'] ?? null, error: null, ...facts };
}

function describeKey(key: Value): string {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}
