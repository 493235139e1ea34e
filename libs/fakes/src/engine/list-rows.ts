import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Filter, List } from '../document/fake-document.js';
import { type Predicate, QueryFault, type Read } from '../languages/language.js';
import type { MadeRow } from '../state/made-rows.js';
import { type Cursors, queryHash } from './cursor.js';
import { FakeRefusal } from './messages.js';
import { readOrder, RowOrder } from './order.js';
import { pageOf } from './page.js';
import type { RequestScope } from './request-scope.js';
import { rowReader } from './row-reader.js';

/** Puts the page of a list into `this.rows` and `this.page`. @throws FakeRefusal, ExpressionFailure */
export function listRows(list: List, scope: RequestScope, cursors: Cursors): void {
  const collection = list.from === undefined ? undefined : scope.rows.collection(list.from);
  const read = rowReader(collection?.inside, undefined);
  const order = new RowOrder(
    list.order === undefined ? [] : readOrder(list.order.value(scope), list.order.place),
    read,
  );
  const texts = list.filters.map(({ text }) => text.value(scope));
  const found = chooseRows(list, texts, order, scope);
  const { where } = list;
  const rows =
    where === undefined
      ? found
      : scope.during({ row: null, number: null }, () =>
          found.filter(({ row, number }) => {
            scope.set('row', row);
            scope.set('number', number);
            return where.holds(scope);
          }),
        );
  const query = queryHash([list.place, scope.input['path'], texts, order.by]);
  const page = pageOf({ rows, order, page: list.page, query }, scope, cursors);
  const { from } = list;
  scope.set(
    'rows',
    page.rows.map(({ row }) => (from === undefined ? row : scope.visible(from, row))),
  );
  scope.set('page', page.facts);
}

function chooseRows(
  list: List,
  texts: readonly Value[],
  order: RowOrder,
  scope: RequestScope,
): readonly MadeRow[] {
  if (list.from === undefined) {
    const rows = givenRows(list, scope);
    return order.sort(filterRows(rows, compileFilters(list, texts, scope).predicates));
  }
  const isStale = list.stale?.holds(scope) ?? false;
  const view = scope.rows.views.view(list.from, isStale);
  const all = view.rows(scope.rows.state, scope.now);
  const key = JSON.stringify([list.place, texts, order.by]);
  const known = view.sorted.get(key);
  if (known !== undefined) return known;
  const { predicates, dependsOnTime } = compileFilters(list, texts, scope);
  const rows = order.sort(filterRows(all, predicates));
  if (!dependsOnTime()) view.sorted.set(key, rows);
  return rows;
}

function givenRows({ rows, place }: List, scope: RequestScope): MadeRow[] {
  const values = rows?.value(scope);
  if (!Array.isArray(values)) throw new ExpressionFailure(rows?.place ?? place, 'it is not a list');
  return values.map((row: Value, index) => ({
    id: String(index),
    number: index + 1,
    row: row as MadeRow['row'],
  }));
}

function filterRows(
  rows: readonly MadeRow[],
  predicates: readonly Predicate[],
): readonly MadeRow[] {
  if (predicates.length === 0) return rows;
  return rows.filter(({ row }) => predicates.every((predicate) => predicate(row)));
}

/** Compiles the filters of a request. `dependsOnTime` says, after they were used, whether one of them asked for the time. */
function compileFilters(
  { filters, from }: List,
  texts: readonly Value[],
  scope: RequestScope,
): { predicates: Predicate[]; dependsOnTime: () => boolean } {
  let asked = false;
  const now = () => {
    asked = true;
    return scope.now;
  };
  const inside = from === undefined ? undefined : scope.rows.collection(from).inside;
  const predicates = filters.flatMap((filter, index) => {
    const text = texts[index];
    if (text === null || text === undefined || text === '') return [];
    return compileFilter(filter, text, rowReader(inside, filter.fields), now);
  });
  return { predicates, dependsOnTime: () => asked };
}

function compileFilter(filter: Filter, text: Value, read: Read, now: () => number): Predicate {
  const { language, fields, operators } = filter;
  try {
    return language(text, {
      now,
      read,
      ...(fields === undefined ? {} : { fields: new Set(fields.keys()) }),
      ...(operators === undefined ? {} : { operators: new Set(operators) }),
    });
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    throw new FakeRefusal('bad_query', error.message, { position: error.position, text });
  }
}
