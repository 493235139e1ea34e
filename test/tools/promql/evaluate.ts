import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { combine, type Operand } from './binary.js';
import { callFunction } from './functions.js';
import { keyOf, type Labels, type RecordedSeries, type Sample } from './recorded-series.js';

/** Prometheus takes the last value of a series if it is not older. */
const lookbackSeconds = 300;
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * Evaluates an expression of Prometheus at a moment: the part of the language that our rules and our dashboard use. What it does not know is
 * an error.
 */
export function evaluate(expression: string, series: RecordedSeries, at: number): Operand {
  const top = parser.parse(expression).topNode.firstChild;
  if (top === null) throw new Error(`there is no expression in ${expression}`);
  return new Evaluation(expression, series, at).value(top);
}

class Evaluation {
  constructor(
    private readonly expression: string,
    private readonly series: RecordedSeries,
    private readonly at: number,
  ) {}

  value(node: SyntaxNode): Operand {
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(this.text(node));
      case 'ParenExpr':
        return this.value(inside(node)[0] ?? node);
      case 'VectorSelector':
        return this.instant(node);
      case 'AggregateExpr':
        return this.aggregate(node);
      case 'FunctionCall':
        return this.call(node);
      case 'BinaryExpr':
        return this.binary(node);
      default:
        throw new Error(`${node.name} is not evaluated: ${this.text(node)}`);
    }
  }

  private text({ from, to }: SyntaxNode): string {
    return this.expression.slice(from, to);
  }

  private vector(node: SyntaxNode | undefined): Sample[] {
    const value = node && this.value(node);
    if (!Array.isArray(value)) throw new Error(`not a vector: ${this.expression}`);
    return value;
  }

  private instant(node: SyntaxNode): Sample[] {
    const found = this.series.select(this.matcher(node), this.at - lookbackSeconds, this.at);
    return found.flatMap(({ labels, points }) => {
      const value = points.at(-1)?.value;
      return value === undefined ? [] : [{ labels, value }];
    });
  }

  private matcher(node: SyntaxNode): (labels: Labels) => boolean {
    const name = node.getChild('Identifier');
    const conditions = (
      node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
    ).map((one) => {
      const [label, operator, quoted] = inside(one).map((part) => this.text(part));
      const wanted = JSON.parse(quoted ?? '""') as string;
      const pattern = new RegExp(`^(?:${wanted})$`);
      const holds = (value: string) =>
        operator?.endsWith('~') ? pattern.test(value) : value === wanted;
      return (labels: Labels) =>
        holds(labels[label ?? ''] ?? '') === (operator?.startsWith('=') === true);
    });
    return (labels) =>
      (name === null || labels['__name__'] === this.text(name)) &&
      conditions.every((condition) => condition(labels));
  }

  private call(node: SyntaxNode): Operand {
    const name = this.text(node.firstChild ?? node);
    const given = inside(node.getChild('FunctionCallBody'));
    const [first] = given;
    if (first?.name === 'MatrixSelector') {
      const [selector, duration] = inside(first);
      if (selector === undefined || duration === undefined) throw new Error(this.text(first));
      const seconds = secondsOf(this.text(duration));
      const range = { from: this.at - seconds, to: this.at };
      const found = this.series
        .select(this.matcher(selector), range.from, range.to)
        .map(({ labels, points }) => ({
          labels,
          points: points.flatMap(({ at, value }) => (value === undefined ? [] : [{ at, value }])),
        }))
        .filter(({ points }) => points.length > 0);
      return callFunction(name, { range, found, equal: this.equalLabels(selector) });
    }
    if (name === 'vector') return [{ labels: {}, value: this.number(first) }];
    if (name === 'absent')
      return this.vector(first).length > 0 || first === undefined
        ? []
        : [{ labels: this.equalLabels(first), value: 1 }];
    if (name === 'histogram_quantile')
      return callFunction(name, { quantile: this.number(first), buckets: this.vector(given[1]) });
    throw new Error(`${name} is not evaluated`);
  }

  private number(node: SyntaxNode | undefined): number {
    const value = node && this.value(node);
    if (typeof value !== 'number') throw new Error(`not a number: ${this.expression}`);
    return value;
  }

  /** The labels that a selector names with `=`: those of what is absent. */
  private equalLabels(selector: SyntaxNode): Labels {
    const all = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    const pairs = all.map((one) => inside(one).map((part) => this.text(part)));
    return Object.fromEntries(
      pairs.flatMap(([label = '', operator, quoted = '""']) =>
        operator === '=' ? [[label, JSON.parse(quoted) as string] as const] : [],
      ),
    );
  }

  private names(node: SyntaxNode | null): string[] {
    return (node?.getChildren('LabelName') ?? []).map((one) => this.text(one));
  }

  private aggregate(node: SyntaxNode): Sample[] {
    const operator = this.text(node.firstChild ?? node);
    const given = inside(node.getChild('FunctionCallBody'));
    const modifier = node.getChild('AggregateModifier');
    const names = this.names(modifier?.getChild('GroupingLabels') ?? null);
    const isWithout = modifier?.getChild('Without') instanceof Object;
    const samples = this.vector(given.at(-1));
    const groups = new Map<string, { labels: Labels; all: Sample[] }>();
    for (const sample of samples) {
      const labels = isWithout ? drop(sample.labels, names) : keep(sample.labels, names);
      const group = groups.get(keyOf(labels)) ?? { labels, all: [] };
      groups.set(keyOf(labels), group);
      group.all.push(sample);
    }
    if (operator === 'topk') {
      const count = this.number(given[0]);
      return [...groups.values()].flatMap(({ all }) =>
        [...all].sort((one, two) => two.value - one.value).slice(0, count),
      );
    }
    return [...groups.values()].map(({ labels, all }) => ({
      labels,
      value: reduce(
        operator,
        all.map(({ value }) => value),
      ),
    }));
  }

  private binary(node: SyntaxNode): Operand {
    const parts = inside(node);
    const [left, right] = [parts[0], parts.at(-1)];
    const operator = parts[1];
    if (left === undefined || right === undefined || operator === undefined)
      throw new Error(this.text(node));
    const clause = node.getChild('MatchingModifierClause');
    return combine(this.text(operator), this.value(left), this.value(right), {
      names: this.names(clause?.getChild('GroupingLabels') ?? null),
      isOn: clause?.getChild('On') instanceof Object,
      isManyToOne: clause?.getChild('GroupLeft') instanceof Object,
    });
  }
}

function inside(node: SyntaxNode | null): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling)
    all.push(child);
  return all;
}

function secondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = units[unit];
  if (count === undefined || seconds === undefined) throw new Error(`not a duration: ${text}`);
  return Number(count) * seconds;
}

export function drop(labels: Labels, names: readonly string[]): Labels {
  const left = Object.entries(labels).filter(
    ([name]) => name !== '__name__' && !names.includes(name),
  );
  return Object.fromEntries(left);
}

export function keep(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));
}

function reduce(operator: string, values: readonly number[]): number {
  switch (operator) {
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0);
    case 'max':
      return Math.max(...values);
    case 'min':
      return Math.min(...values);
    case 'count':
      return values.length;
    default:
      throw new Error(`${operator} is not evaluated`);
  }
}
