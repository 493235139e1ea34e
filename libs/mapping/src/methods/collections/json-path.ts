import type * as jsonPathParser from 'jsonpath-rfc9535/parser';
import { compareValues } from '../../language/operators.js';
import { optionalPackage } from '../../language/optional-package.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import { equal, isObject, sortedKeys, typeName, type Value } from '../../language/values.js';
import { kept } from './kept.js';
import { matchesPart, matchesWhole } from '../patterns/patterns.js';

export const jsonPathLibrary = optionalPackage<typeof jsonPathParser>(
  'jsonpath-rfc9535',
  1,
  '/parser',
);

type Path = ReturnType<typeof jsonPathParser.default>;
type Segment = Path['segments'][number];
type Bracketed = Extract<Segment['node'], { type: 'BracketedSelection' }>;
type Selector = Bracketed['selectors'][number] | Exclude<Segment['node'], Bracketed>;
type Filter = Extract<Selector, { type: 'FilterSelector' }>['value'];
type Test = Extract<Filter, { type: 'TestExpr' }>['expression'];
type Call = Extract<Test, { type: 'FunctionExpr' }>;
type Argument = Call['arguments'][number];
type Comparable = Extract<Filter, { type: 'ComparisonExpr' }>['left'];

const maxLength = 1_000;
/** Steps of reading an expression, and of each character of it. */
const [parseSteps, characterSteps] = [500, 20];

const parsed = kept((text: string): Path => {
  if (text.length > maxLength)
    throw new RunError(`the JSONPath expression is longer than ${maxLength} characters`);
  try {
    return jsonPathLibrary.load().default(text);
  } catch (error) {
    const { message, location } = error as Error & { location?: { start: { column: number } } };
    const place = location ? ` at character ${location.start.column}` : '';
    throw new RunError(`failed to evaluate json path expression${place}: ${message}`);
  }
});

/** @throws RunError when the text is not a JSONPath expression */
export function checkJsonPath(text: string): void {
  parsed(text);
}

/** Evaluates a JSONPath expression: one value when it can name only one, an array otherwise. */
export function jsonPath(value: Value, text: string, run: Run): Value {
  run.once(`$ ${text}`, () => parseSteps + characterSteps * text.length);
  const path = parsed(text);
  const found = new Search(value, run).path(path.segments, value);
  run.array(found.length);
  if (!isSingular(path)) return found;
  if (found.length === 0) throw new RunError(`the JSONPath ${text.slice(0, 60)} leads to nothing`);
  return found[0];
}

function isSingular({ segments }: Path): boolean {
  return segments.every(({ type, node }) => {
    if (type !== 'ChildSegment') return false;
    if (node.type !== 'BracketedSelection') return node.type === 'MemberNameShorthand';
    const [only, ...more] = node.selectors;
    return more.length === 0 && (only?.type === 'NameSelector' || only?.type === 'IndexSelector');
  });
}

/** An operand of a comparison; undefined where a path leads to nothing. */
type Operand = Value;

class Search {
  constructor(
    private readonly root: Value,
    private readonly run: Run,
  ) {}

  path(segments: readonly { type: string; node: Selector | Bracketed }[], start: Value): Value[] {
    let nodes: Value[] = [start];
    for (const { type, node } of segments) {
      const selectors = node.type === 'BracketedSelection' ? node.selectors : [node];
      const next: Value[] = [];
      for (const one of nodes) {
        const places = type === 'DescendantSegment' ? this.descendants(one) : [one];
        for (const place of places)
          for (const selector of selectors) this.select(selector, place, next);
      }
      nodes = next;
    }
    return nodes;
  }

  /** The value and all within it, each before what is in it. */
  private descendants(value: Value): Value[] {
    const all: Value[] = [];
    const left = [value];
    while (left.length > 0) {
      this.run.spend(1);
      const one = left.pop();
      all.push(one);
      const inner = this.children(one);
      for (let index = inner.length - 1; index >= 0; index -= 1) left.push(inner[index]);
    }
    return all;
  }

  private children(value: Value): Value[] {
    if (Array.isArray(value)) return value as Value[];
    return isObject(value) ? sortedKeys(value).map((key) => value[key]) : [];
  }

  private select(selector: Selector, value: Value, into: Value[]): void {
    this.run.spend(1);
    switch (selector.type) {
      case 'MemberNameShorthand':
      case 'NameSelector':
        if (isObject(value) && Object.hasOwn(value, selector.value))
          into.push(value[selector.value]);
        return;
      case 'IndexSelector':
        this.index(selector.value, value, into);
        return;
      case 'SliceSelector':
        this.slice(selector, value, into);
        return;
      case 'WildcardSelector':
        for (const one of this.children(value)) this.put(one, into);
        return;
      case 'FilterSelector':
        for (const one of this.children(value))
          if (this.holds(selector.value, one)) this.put(one, into);
    }
  }

  private put(value: Value, into: Value[]): void {
    this.run.spend(1);
    into.push(value);
  }

  private index(index: number, value: Value, into: Value[]): void {
    if (isObject(value) && Object.hasOwn(value, String(index))) into.push(value[String(index)]);
    if (!Array.isArray(value)) return;
    const place = index < 0 ? value.length + index : index;
    if (place >= 0 && place < value.length) into.push(value[place]);
  }

  private slice(
    { start, end, step }: Extract<Selector, { type: 'SliceSelector' }>,
    value: Value,
    into: Value[],
  ): void {
    const by = step ?? 1;
    if (!Array.isArray(value) || by === 0) return;
    const { length } = value;
    const place = (given: number) => (given < 0 ? length + given : given);
    const [first, last] = by > 0 ? [0, length] : [length - 1, -1];
    const within = (given: number) =>
      Math.max(by > 0 ? 0 : -1, Math.min(by > 0 ? length : length - 1, given));
    const until = end === null ? last : within(place(end));
    for (
      let at = start === null ? first : within(place(start));
      by > 0 ? at < until : at > until;
      at += by
    )
      this.put(value[at], into);
  }

  private holds(filter: Filter, self: Value): boolean {
    this.run.spend(1);
    switch (filter.type) {
      case 'LogicalOrExpr':
        return this.holds(filter.left, self) || this.holds(filter.right, self);
      case 'LogicalAndExpr':
        return this.holds(filter.left, self) && this.holds(filter.right, self);
      case 'LogicalNotExpr':
        return !this.holds(filter.expression, self);
      case 'ComparisonExpr':
        return compare(
          filter.op,
          this.operand(filter.left, self),
          this.operand(filter.right, self),
        );
      case 'TestExpr': {
        const { expression } = filter;
        if (expression.type === 'FilterQuery') return this.query(expression, self).length > 0;
        return this.call(expression, self) === true;
      }
    }
  }

  private query({ value }: Extract<Argument, { type: 'FilterQuery' }>, self: Value): Value[] {
    return this.path(value.segments, value.type === 'RelQuery' ? self : this.root);
  }

  private operand(one: Comparable | Argument, self: Value): Operand {
    switch (one.type) {
      case 'Literal':
        return one.value;
      case 'RelSingularQuery':
      case 'AbsSingularQuery':
        return this.path(one.segments, one.type === 'RelSingularQuery' ? self : this.root)[0];
      case 'FunctionExpr':
        return this.call(one, self);
      case 'FilterQuery':
        return this.query(one, self)[0];
      default:
        return this.holds(one, self);
    }
  }

  private call({ name, arguments: given }: Call, self: Value): Operand {
    const [first, second] = given;
    if (first === undefined) throw new RunError(`the JSONPath function ${name} needs an argument`);
    if (name === 'count' || name === 'value') {
      const nodes = first.type === 'FilterQuery' ? this.query(first, self) : [];
      if (name === 'count') return nodes.length;
      return nodes.length === 1 ? nodes[0] : undefined;
    }
    const value = this.operand(first, self);
    if (name === 'length') return lengthOf(value);
    if (name !== 'match' && name !== 'search')
      throw new RunError(
        `unknown JSONPath function ${name}: use one of count, length, match, search, value`,
      );
    const pattern = second && this.operand(second, self);
    if (typeof value !== 'string' || typeof pattern !== 'string') return false;
    return name === 'match'
      ? matchesWhole(pattern, value, this.run)
      : matchesPart(pattern, value, this.run);
  }
}

function lengthOf(value: Operand): Operand {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

function compare(operator: string, a: Operand, b: Operand): boolean {
  const same =
    a === undefined || b === undefined ? a === b : typeName(a) === typeName(b) && equal(a, b);
  if (operator === '==') return same;
  if (operator === '!=') return !same;
  if (same && (operator === '<=' || operator === '>=')) return true;
  const order = compareValues(a, b);
  if (order === undefined) return false;
  return operator.startsWith('<') ? order < 0 : order > 0;
}
