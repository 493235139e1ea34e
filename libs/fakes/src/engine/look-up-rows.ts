import type { Value } from '@onefold/mapping';
import type { Route } from '../document/fake-document.js';
import { FakeRefusal } from './messages.js';
import type { RequestScope } from './request-scope.js';

/** Finds the rows that a route needs before it does anything, for `this.with`. @throws FakeRefusal for a row that is missing */
export function lookUpRows(route: Route, scope: RequestScope): void {
  const found: Record<string, Value> = {};
  scope.set('with', found);
  for (const [name, { from, id, where, missing }] of route.with) {
    const row =
      where === undefined
        ? scope.rows.find(from, id?.value(scope) ?? null)
        : scope.during({ row: null, number: null }, () =>
            scope.rows.newest(from, (row, number) => {
              scope.set('row', row);
              scope.set('number', number);
              return where.holds(scope);
            }),
          );
    if (row === undefined && missing !== undefined) {
      const key = id?.value(scope);
      throw new FakeRefusal(missing, typeof key === 'string' ? key : '');
    }
    found[name] = row?.row ?? null;
  }
}
