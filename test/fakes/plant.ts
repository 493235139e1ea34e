import type { Value } from '@onefold/mapping';
import type { FakeDocument } from '#fakes';
import { Query, Template } from '../../libs/fakes/src/document/expressions.js';
import type { List, Route } from '../../libs/fakes/src/document/fake-document.js';
import type { RequestScope } from '../../libs/fakes/src/engine/request-scope.js';

/** Kinds of mistakes that a fake may make. */
export const mistakes = [
  'a field is left out',
  'a field has another type',
  'a field has an unknown value',
  'there is an unknown field',
  'a page is lost',
  'a page comes again',
  'the last row of a page is lost',
  'a row is there twice',
  'the list ends early',
  'the filter is ignored',
  'the order is reversed',
  'an unknown id is found',
  'a write is forgotten',
  'a success has the status of a failure',
] as const;
export type MistakeKind = (typeof mistakes)[number];

/** A mistake in a fake. */
export interface Mistake {
  kind: MistakeKind;
  /** Only in this route; in all of them when absent. */
  route?: string;
  /** For mistakes in a field: its name. */
  field?: string;
}

type Row = Record<string, Value>;
type Mark = ReturnType<RequestScope['rows']['state']['mark']>;

/** A fake that makes a mistake, or another one, or none. */
export class PlantedFake {
  /** The mistake that it makes at present. */
  mistake: Mistake | undefined;
  /** How often a mistake has changed something. */
  planted = 0;
  /** The number of rows in lists. */
  sent = 0;
  /** Names of the fields of the rows of each route, with a value, in the order in which they were seen. */
  readonly seen = new Map<string, Map<string, Value>>();
  /** The rows of the last page of each route, which may come again. */
  private readonly before = new Map<string, Value[]>();

  reset(mistake?: Mistake): void {
    this.mistake = mistake;
    this.planted = 0;
    this.sent = 0;
    this.before.clear();
  }

  readonly alter = (document: FakeDocument): FakeDocument => ({
    ...document,
    routes: document.routes.map((route) => this.alterRoute(route)),
  });

  private alterRoute(route: Route): Route {
    const isNow = (kind: MistakeKind) => this.isNow(kind, route.key);
    const { body, list } = route;
    const marks = new WeakMap<RequestScope, Mark>();
    return new Proxy(route, {
      get: (target, name) => {
        switch (name) {
          case 'body':
            return body && this.alterBody(route, body);
          case 'list':
            return list && isNow('the filter is ignored') ? this.unfiltered(list) : list;
          case 'with':
            return isNow('an unknown id is found') ? this.permissive(route) : target.with;
          case 'checks':
            return isNow('a write is forgotten') && target.writes.length > 0
              ? [...target.checks, this.marking(route, marks)]
              : target.checks;
          case 'status':
            return this.alterStatus(route, marks);
          default:
            return target[name as keyof Route];
        }
      },
    });
  }

  private isNow(kind: MistakeKind, key: string): boolean {
    const { mistake } = this;
    return mistake?.kind === kind && (mistake.route === undefined || mistake.route === key);
  }

  private unfiltered(list: List): List {
    if (list.filters.length === 0 && list.where === undefined) return list;
    this.planted += 1;
    return { ...list, filters: [], where: undefined };
  }

  private permissive(route: Route): Route['with'] {
    return new Map(
      [...route.with].map(([name, lookup]) => [name, { ...lookup, missing: undefined }]),
    );
  }

  /** A check that always holds, and remembers what was stored before the writes. */
  private marking({ key }: Route, marks: WeakMap<RequestScope, Mark>): Route['checks'][number] {
    const that = new Computed(key, (scope) => {
      marks.set(scope, scope.rows.state.mark());
      return true;
    });
    return { key: 'planted', that, error: 'failure', detail: undefined };
  }

  /** The status is the first of a response: the rows, the page and what was stored change before it is written. */
  private alterStatus(route: Route, marks: WeakMap<RequestScope, Mark>): Query {
    return new Computed(route.key, (scope) => {
      const value = route.status?.value(scope) ?? 200;
      if (this.isNow('a success has the status of a failure', route.key)) {
        this.planted += 1;
        return 500;
      }
      this.alterList(route, scope);
      const mark = marks.get(scope);
      if (mark !== undefined) {
        scope.rows.state.undo(mark);
        this.planted += 1;
      }
      const found = Object.values((scope.input['with'] ?? {}) as Row);
      if (this.isNow('an unknown id is found', route.key) && found.includes(null))
        this.planted += 1;
      return value;
    });
  }

  private alterList(route: Route, scope: RequestScope): void {
    const { rows } = scope.input;
    if (route.list === undefined || !Array.isArray(rows)) return;
    this.note(route, rows);
    const altered = this.alterPage(route, rows, scope.input['page'] as Row, scope);
    this.before.set(route.key, rows);
    this.sent += rows.length;
    scope.set('rows', this.alterFields(route, altered.rows));
    scope.set('page', altered.page);
  }

  private alterBody(route: Route, body: Template): Template {
    return new ComputedTemplate(body, (scope, root) => {
      const value = body.run(scope, root);
      return route.list === undefined ? this.alterObjects(route, value ?? null) : value;
    });
  }

  /** Alters the objects in lists of a response that has no list of its own. */
  private alterObjects(route: Route, value: Value): Value {
    if (Array.isArray(value)) {
      this.note(route, value);
      return this.alterFields(route, value);
    }
    if (!isRow(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        Array.isArray(one) ? this.alterObjects(route, one) : one,
      ]),
    );
  }

  private note({ key }: Route, rows: Value[]): void {
    const names = this.seen.get(key) ?? new Map<string, Value>();
    this.seen.set(key, names);
    for (const row of rows.filter(isRow))
      for (const [name, value] of Object.entries(row))
        if (value !== null && value !== '') names.set(name, names.get(name) ?? value);
  }

  private alterFields({ key }: Route, rows: Value[]): Value[] {
    const { field = '' } = this.mistake ?? {};
    const alter = (change: (row: Row) => Row) =>
      rows.map((row) => {
        if (!isRow(row)) return row;
        this.planted += 1;
        return change(row);
      });
    if (this.isNow('there is an unknown field', key))
      return alter((row) => ({ ...row, planted_field: 'planted' }));
    const own = (change: (row: Row) => Row) =>
      alter((row) => (row[field] === undefined || row[field] === null ? row : change(row)));
    if (this.isNow('a field is left out', key))
      return own(({ [field]: _out, ...others }) => others);
    if (this.isNow('a field has another type', key))
      return own((row) => ({ ...row, [field]: ofAnotherType(row[field] ?? null) }));
    if (this.isNow('a field has an unknown value', key))
      return own((row) => ({ ...row, [field]: 'planted' }));
    return rows;
  }

  private alterPage(
    { key, list }: Route,
    rows: Value[],
    page: Row,
    scope: RequestScope,
  ): { rows: Value[]; page: Row } {
    const now = (kind: MistakeKind) => this.isNow(kind, key);
    const as = (altered: Value[], facts: Row = page) => {
      this.planted += 1;
      return { rows: altered, page: facts };
    };
    const at = list?.page?.at?.value(scope) ?? null;
    const isFirst = at === null || at === '' || Number(at) === (list?.page?.first ?? 0);
    const isLater = list?.page !== undefined && !isFirst;
    if (now('a page is lost') && isLater && rows.length > 0) return as([]);
    if (now('a page comes again') && isLater && this.before.has(key))
      return as(this.before.get(key) ?? []);
    if (now('the last row of a page is lost') && rows.length > 1) return as(rows.slice(0, -1));
    if (now('a row is there twice') && rows.length > 1)
      return as([rows[0] ?? null, ...rows.slice(0, -1)]);
    if (now('the list ends early') && page['more'] === true)
      return as(rows, {
        ...page,
        ...{ more: false, next: null, link: null },
        total: (typeof page['offset'] === 'number' ? page['offset'] : 0) + rows.length,
        pages: page['number'] ?? null,
      });
    if (now('the order is reversed') && rows.length > 1) return as([...rows].reverse());
    return { rows, page };
  }
}

/** A query that a function answers. */
class Computed extends Query {
  constructor(
    place: string,
    private readonly compute: (scope: RequestScope) => Value,
  ) {
    super(place, () => null);
  }

  override value(scope: Parameters<Query['value']>[0]): Value {
    return this.compute(scope as RequestScope);
  }
}

/** A template around another one. */
class ComputedTemplate extends Template {
  constructor(
    { place, compiled }: Template,
    private readonly compute: (scope: RequestScope, root: Value) => Value,
  ) {
    super(place, compiled);
  }

  override run(scope: Parameters<Template['run']>[0], root?: Value): Value {
    return this.compute(scope as RequestScope, root);
  }
}

function ofAnotherType(value: Value): Value {
  if (Array.isArray(value)) return 7;
  return isRow(value) ? 'planted' : { planted: true };
}

function isRow(value: Value): value is Row {
  return Object.prototype.toString.call(value) === '[object Object]';
}
