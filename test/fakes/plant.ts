import type { Value } from '@onefold/mapping';
import type { FakeDocument } from '#fakes';
import { Query, Template } from '../../libs/fakes/src/document/expressions.js';
import type { List, Route } from '../../libs/fakes/src/document/fake-document.js';
import type { RequestScope } from '../../libs/fakes/src/engine/request-scope.js';

/** Mistakes that a fake may make in the pages of its lists. */
type PageMistake = 'a page again' | 'a row less' | 'an early end' | 'a reversed order';

/** Mistakes that a fake may make. */
export type Mistake =
  | PageMistake
  | 'an unknown field'
  | 'no filter'
  | 'no write'
  | 'an unknown id'
  | 'a failing status';

type Row = Record<string, Value>;
type Mark = ReturnType<RequestScope['rows']['state']['mark']>;

/** A fake that makes a mistake. */
export class PlantedFake {
  /** How often the mistake has changed something. */
  planted = 0;

  constructor(private readonly mistake: Mistake) {}

  readonly alter = (document: FakeDocument): FakeDocument => ({
    ...document,
    routes: document.routes.map((route) => this.alterRoute(route)),
  });

  private alterRoute(route: Route): Route {
    const { body, list, writes } = route;
    switch (this.mistake) {
      case 'no filter':
        return list === undefined ? route : { ...route, list: this.unfiltered(list) };
      case 'an unknown field':
        return body === undefined ? route : { ...route, body: this.withUnknownFields(body) };
      case 'no write':
        return writes.length === 0 ? route : this.undoing(route);
      case 'an unknown id':
        return this.finding(route);
      case 'a failing status':
        return this.withStatus(route, () => {
          this.planted += 1;
          return 500;
        });
      default:
        return list?.page === undefined ? route : this.turningPages(route, this.mistake);
    }
  }

  private unfiltered(list: List): List {
    if (list.filters.length === 0 && list.where === undefined) return list;
    this.planted += 1;
    return { ...list, filters: [], where: undefined };
  }

  /** Forgets what was stored before the response is written. */
  private undoing(route: Route): Route {
    const marks = new WeakMap<RequestScope, Mark>();
    const checks = [...route.checks, marking(route.key, marks)];
    return this.withStatus({ ...route, checks }, (status, scope) => {
      const mark = marks.get(scope);
      if (mark !== undefined) {
        scope.rows.state.undo(mark);
        this.planted += 1;
      }
      return status;
    });
  }

  /** Records that do not exist are null instead of an error. */
  private finding(route: Route): Route {
    const lookups = [...route.with].map(
      ([name, lookup]) => [name, { ...lookup, missing: undefined }] as const,
    );
    return this.withStatus({ ...route, with: new Map(lookups) }, (status, scope) => {
      const found = Object.values((scope.input['with'] ?? {}) as Row);
      if (found.includes(null)) this.planted += 1;
      return status;
    });
  }

  /** Lists have other rows, or another end, than they should have. */
  private turningPages(route: Route, mistake: PageMistake): Route {
    let before: Value[] | undefined;
    return this.withStatus(route, (status, scope) => {
      const rows = scope.input['rows'] as Value[];
      const page = scope.input['page'] as Row;
      const { at, before: end, first = 0 } = route.list?.page ?? {};
      const place = at?.value(scope) ?? end?.value(scope) ?? null;
      const isFirst = place === null || place === '' || Number(place) === first;
      const turned = turnPage(mistake, { rows, page, before: isFirst ? undefined : before });
      before = rows;
      if (turned !== undefined) {
        scope.set('rows', turned.rows);
        scope.set('page', turned.page);
        this.planted += 1;
      }
      return status;
    });
  }

  /** The status is the first of a response: what is changed then is what the response shows. */
  private withStatus(route: Route, compute: (status: Value, scope: RequestScope) => Value): Route {
    const status = new Computed(route.key, (scope) =>
      compute(route.status?.value(scope) ?? 200, scope),
    );
    return { ...route, status };
  }

  private withUnknownFields(body: Template): Template {
    return new ComputedTemplate(body, (scope, root) =>
      this.addFields(body.run(scope, root) ?? null),
    );
  }

  /** Adds a field to each object in the lists of a response. */
  private addFields(value: Value): Value {
    if (Array.isArray(value))
      return value.map((one: Value) => {
        if (!isRow(one)) return one;
        this.planted += 1;
        return { ...one, planted_field: 'planted' };
      });
    if (!isRow(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        Array.isArray(one) ? this.addFields(one) : one,
      ]),
    );
  }
}

/** @returns undefined where the mistake changes nothing */
function turnPage(
  mistake: PageMistake,
  { rows, page, before }: { rows: Value[]; page: Row; before: Value[] | undefined },
): { rows: Value[]; page: Row } | undefined {
  switch (mistake) {
    case 'a page again':
      return before && { rows: before, page };
    case 'a row less':
      return rows.length > 1 ? { rows: rows.slice(0, -1), page } : undefined;
    case 'a reversed order':
      return rows.length > 1 ? { rows: [...rows].reverse(), page } : undefined;
    case 'an early end': {
      const info = page['info'] as Row | undefined;
      if (page['more'] !== true && info?.['hasPreviousPage'] !== true) return undefined;
      const offset = typeof page['offset'] === 'number' ? page['offset'] : 0;
      const end = { more: false, next: null, link: null, pages: page['number'] ?? null };
      const edges = { ...info, hasNextPage: false, hasPreviousPage: false };
      return { rows, page: { ...page, ...end, info: edges, total: offset + rows.length } };
    }
  }
}

/** A check that always holds, and remembers what was stored before the writes. */
function marking(key: string, marks: WeakMap<RequestScope, Mark>): Route['checks'][number] {
  const that = new Computed(key, (scope) => {
    marks.set(scope, scope.rows.state.mark());
    return true;
  });
  return { key: 'planted', that, error: 'failure', detail: undefined };
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

function isRow(value: Value): value is Row {
  return Object.prototype.toString.call(value) === '[object Object]';
}
