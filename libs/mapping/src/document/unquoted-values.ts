import type { Expression, Statement } from '../language/ast.js';
import { placeOf, type TemplateFault } from '../language/mapping-error.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { partsOf } from '../language/walk.js';
import type { TextInDocument } from './describe-failure-of-text.js';

/** Keys of a provider document whose texts a provider reads as a query or an address. */
const keys: ReadonlySet<string> = new Set(['query', 'body', 'url', 'with']);
/** Names of `this` with values that callers choose. */
const chosen: ReadonlySet<string> = new Set(['path', 'query']);
/** A parameter in the words of the provider. */
const passthrough = 'passthrough-param';
/** Texts that join names to a path or a file, such as "/" and ".json": a provider reads no query in it. */
const pathText = /^[\w/.-]*$/;
const maxFaults = 50;
const maxDepth = 20;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
/** Methods whose result holds nothing of a text that could end a word of a query: quotes, escapes, numbers, times, truths. */
const safeMethods = words(
  `quote_with quote escape_url_query escape_url_path escape_html format_json number bool int8 int16 int32 int64 uint8 uint16 uint32 uint64
   float32 float64 abs ceil floor round hash encode uuid_v5 length contains any all has_prefix has_suffix index_of re_match exists type
   slug filepath_split parse_url replace replace_all replace_many replace_all_many re_replace re_replace_all re_find_object ts_parse
   ts_format ts_unix ts_unix_milli ts_strftime ts_strptime format_timestamp format_timestamp_strftime parse_duration`,
);
/** Methods that give one of the elements of their target. */
const elementMethods = words('index get find_by min max');

/** The part of a value that is the caller's: a text or list of texts, the filters, or one filter; undefined for nothing. */
type Chosen = 'text' | 'filters' | 'filter' | undefined;

/**
 * Finds values that callers choose (path parameters, parameters of the query, values of filters) where an expression of a provider document
 * joins them into a longer text as they are: `"id = " + this.path.id` lets a caller write `1 OR id > 0`. It follows variables, maps and lambdas.
 */
export function unquotedValues({ located, isQuery, key = '' }: TextInDocument): TemplateFault[] {
  if (!keys.has(key)) return [];
  const { text } = located;
  const search = new Search(isQuery ? new Map() : parseTemplate(text).maps, key === 'url');
  if (isQuery) search.look(parseQuery(text), {});
  else search.statements(parseTemplate(text).statements, {});
  return search.found.slice(0, maxFaults).map(({ start, end }) => {
    const { line, column } = placeOf(text, start);
    const value = text.slice(start, end).slice(0, 100);
    return {
      message: `${value} is joined into a text without quotes, so a caller can write more of it`,
      hint: 'Write .quote_with("\'", "\\\\") behind it for a query language, .escape_url_query() or .escape_url_path() for an address, or .number().',
      ...located.locate(line, column),
    };
  });
}

interface Scope {
  /** The meaning of `this` within a map; undefined outside of maps, where it is the request. */
  self?: Chosen | 'other';
  /** The meanings of the names of lambdas. */
  names?: ReadonlyMap<string, Chosen>;
}

class Search {
  private readonly places = new Map<number, Expression>();
  private readonly variables = new Map<string, Chosen>();
  private depth = 0;

  /** @param isAddress the text is an address, in which even a path has a meaning */
  constructor(
    private readonly maps: ReadonlyMap<string, readonly Statement[]>,
    private readonly isAddress: boolean,
  ) {}

  get found(): Expression[] {
    return [...this.places.values()].sort((one, other) => one.start - other.start);
  }

  /** @returns what is assigned to root */
  statements(body: readonly Statement[], scope: Scope): Chosen {
    let root: Chosen;
    for (const one of body)
      if (one.kind === 'if') {
        for (const { condition, body: inner } of one.branches) {
          this.look(condition, scope);
          root = this.statements(inner, scope) ?? root;
        }
        root = this.statements(one.otherwise ?? [], scope) ?? root;
      } else {
        const value = this.look(one.value, scope);
        if (one.kind === 'let') this.variables.set(one.name, value ?? this.variables.get(one.name));
        if (one.kind === 'assign' && one.path.length === 1) root = value ?? root;
      }
    return root;
  }

  /** Notes the joins in an expression. @returns what it holds of the caller's */
  look(one: Expression, scope: Scope): Chosen {
    switch (one.kind) {
      case 'this':
        return scope.self === 'other' ? undefined : scope.self;
      case 'name':
        return scope.names?.has(one.name)
          ? scope.names.get(one.name)
          : this.ofField(scope.self, one.name);
      case 'variable':
        return this.variables.get(one.name);
      case 'field':
        return this.field(one, scope);
      case 'method':
        return this.method(one, scope);
      case 'binary':
        return this.binary(one, scope);
      case 'array':
        return this.first(one.items, scope);
      case 'if':
        for (const { condition } of one.branches) this.look(condition, scope);
        return this.first(
          [...one.branches.map(({ value }) => value), ...(one.otherwise ? [one.otherwise] : [])],
          scope,
        );
      case 'match': {
        const self =
          one.subject === undefined ? scope.self : (this.look(one.subject, scope) ?? 'other');
        return this.first(
          one.cases.map(({ value }) => value),
          one.subject === undefined ? scope : { ...scope, self },
        );
      }
      case 'scoped': {
        const self = this.look(one.target, scope) ?? 'other';
        return this.look(one.body, { ...scope, self });
      }
      default:
        for (const part of partsOf(one)) this.look(part, scope);
        return undefined;
    }
  }

  private field(one: Expression & { kind: 'field' }, scope: Scope): Chosen {
    const { target, name } = one;
    if (target.kind === 'this') return this.ofField(scope.self, name);
    const isRequest =
      scope.self === undefined && !(target.kind === 'name' && scope.names?.has(target.name));
    const outer =
      target.kind === 'field' && target.target.kind === 'this'
        ? target.name
        : target.kind === 'name'
          ? target.name
          : undefined;
    if (isRequest && outer !== undefined && chosen.has(outer))
      return name === passthrough ? undefined : 'text';
    const of = this.look(target, scope);
    if (of === 'filter') return ['value', 'values'].includes(name) ? 'text' : undefined;
    return of === 'filters' ? 'filter' : of;
  }

  /** A field of `this`. */
  private ofField(self: Scope['self'], name: string): Chosen {
    if (self === undefined) return name === 'filters' ? 'filters' : undefined;
    if (self === 'filter') return ['value', 'values'].includes(name) ? 'text' : undefined;
    return self === 'text' ? 'text' : undefined;
  }

  private method(one: Expression & { kind: 'method' }, scope: Scope): Chosen {
    const { target, name, arguments: given } = one;
    const of = this.look(target, scope);
    const element = of === 'filters' ? 'filter' : of;
    const results = given.map(({ value }) =>
      value.kind === 'lambda'
        ? this.look(value.body, {
            ...scope,
            names: new Map([...(scope.names ?? []), [value.parameter, element]]),
          })
        : this.look(value, this.hasOwnThis(name) ? { ...scope, self: element ?? 'other' } : scope),
    );
    if (name === 'format') {
      for (const [index, result] of results.entries())
        if (result === 'text') this.note(given[index]?.value, one);
      return undefined;
    }
    if (name === 'join' && target.kind === 'array' && target.items.length > 1)
      for (const item of target.items) if (this.look(item, scope) === 'text') this.note(item, one);
    if (safeMethods.has(name)) return undefined;
    if (name === 'apply') return this.applied(given[0]?.value, of);
    if (name === 'map_each' || name === 'map') return results[0];
    if (name === 'or' || name === 'catch') return of ?? results[0];
    return elementMethods.has(name) ? element : of;
  }

  private hasOwnThis(name: string): boolean {
    return ['map_each', 'filter', 'map', 'any', 'all', 'find_by'].includes(name);
  }

  private applied(name: Expression | undefined, of: Chosen): Chosen {
    const body = name?.kind === 'literal' ? this.maps.get(String(name.value)) : undefined;
    if (body === undefined || this.depth >= maxDepth) return of;
    this.depth += 1;
    try {
      return this.statements(body, { self: of ?? 'other' });
    } finally {
      this.depth -= 1;
    }
  }

  private binary(one: Expression & { kind: 'binary' }, scope: Scope): Chosen {
    const { operator, left, right } = one;
    const sides = [left, right].map((side) => this.look(side, scope));
    if (operator === '|') return sides[0] ?? sides[1];
    if (operator !== '+') return undefined;
    const isNumber = [left, right].some(
      (side) => side.kind === 'literal' && typeof side.value !== 'string',
    );
    if (isNumber) return undefined;
    if (sides[0] === 'text') this.note(left, one);
    if (sides[1] === 'text') this.note(right, one);
    return undefined;
  }

  private first(parts: readonly Expression[], scope: Scope): Chosen {
    return parts.map((part) => this.look(part, scope)).find((of) => of !== undefined);
  }

  /** @param whole the expression that joins it with other texts */
  private note(one: Expression | undefined, whole: Expression): void {
    if (one === undefined) return;
    const texts = literalsOf(whole).filter((text) => text !== '');
    const isPath = texts.length > 0 && texts.every((text) => pathText.test(text));
    if (this.isAddress || !isPath) this.places.set(one.start, one);
  }
}

function literalsOf(one: Expression): string[] {
  const inner = partsOf(one).flatMap(literalsOf);
  return one.kind === 'literal' && typeof one.value === 'string' ? [one.value, ...inner] : inner;
}
