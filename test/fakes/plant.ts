import type { Value } from '@onefold/mapping';
import type { FakeDocument } from '#fakes';
import { Query, Template } from '../../libs/fakes/src/document/expressions.js';
import type { List, Route } from '../../libs/fakes/src/document/fake-document.js';
import type { RequestScope } from '../../libs/fakes/src/engine/request-scope.js';

/** Mistakes that a fake may make. */
export type Mistake = 'an unknown field' | 'no filter' | 'no write';

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
    const { body, list, writes, checks, key } = route;
    if (this.mistake === 'no filter')
      return list === undefined ? route : { ...route, list: this.unfiltered(list) };
    if (this.mistake === 'an unknown field')
      return body === undefined ? route : { ...route, body: this.withUnknownFields(body) };
    if (writes.length === 0) return route;
    const marks = new WeakMap<RequestScope, Mark>();
    return {
      ...route,
      checks: [...checks, marking(key, marks)],
      status: this.undoing(route, marks),
    };
  }

  private unfiltered(list: List): List {
    if (list.filters.length === 0 && list.where === undefined) return list;
    this.planted += 1;
    return { ...list, filters: [], where: undefined };
  }

  /** The status is the first of a response: what was stored is forgotten before it is written. */
  private undoing(route: Route, marks: WeakMap<RequestScope, Mark>): Query {
    return new Computed(route.key, (scope) => {
      const value = route.status?.value(scope) ?? 200;
      const mark = marks.get(scope);
      if (mark !== undefined) {
        scope.rows.state.undo(mark);
        this.planted += 1;
      }
      return value;
    });
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
