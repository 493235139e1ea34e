import { keyOf, type Labels, type Sample } from './recorded-series.js';

export type Operand = number | Sample[];

/** How the samples of both sides are matched. */
export interface Matching {
  names: readonly string[];
  /** By these labels alone; otherwise by all but these. */
  isOn: boolean;
  /** Several samples of the left side match one of the right side, and keep their labels. */
  isManyToOne: boolean;
}

const arithmetic: Readonly<Record<string, (one: number, two: number) => number>> = {
  '+': (one, two) => one + two,
  '-': (one, two) => one - two,
  '*': (one, two) => one * two,
  '/': (one, two) => one / two,
};
const comparisons: Readonly<Record<string, (one: number, two: number) => boolean>> = {
  '>': (one, two) => one > two,
  '>=': (one, two) => one >= two,
  '<': (one, two) => one < two,
  '<=': (one, two) => one <= two,
  '==': (one, two) => one === two,
  '!=': (one, two) => one !== two,
};

/** Applies a binary operator of Prometheus. A comparison keeps the samples of the left side that it holds for. */
export function combine(operator: string, left: Operand, right: Operand, by: Matching): Operand {
  if (['and', 'or', 'unless'].includes(operator))
    return combineSets(operator, samplesOf(left), samplesOf(right), by);
  if (typeof left === 'number' && typeof right === 'number') {
    const compute = arithmetic[operator];
    if (compute === undefined) throw new Error(`two numbers are not compared: ${operator}`);
    return compute(left, right);
  }
  if (typeof left === 'number')
    return samplesOf(right).flatMap(({ labels, value }) =>
      apply(operator, { labels, value: left }, value, labels, value),
    );
  if (typeof right === 'number')
    return left.flatMap((one) => apply(operator, one, right, one.labels));
  const others = new Map<string, Sample>();
  for (const sample of right) {
    const key = matchKey(sample.labels, by);
    if (others.has(key)) throw new Error(`several samples on the right side match ${key}`);
    others.set(key, sample);
  }
  const seen = new Set<string>();
  return left.flatMap((one) => {
    const key = matchKey(one.labels, by);
    const other = others.get(key);
    if (other === undefined) return [];
    if (seen.has(key) && !by.isManyToOne)
      throw new Error(`several samples on the left side match ${key}`);
    seen.add(key);
    const labels = by.isManyToOne ? one.labels : matchLabels(one.labels, by);
    return apply(operator, one, other.value, operator in comparisons ? one.labels : labels);
  });
}

function apply(
  operator: string,
  one: Sample,
  other: number,
  labels: Labels,
  kept = one.value,
): Sample[] {
  const compare = comparisons[operator];
  if (compare !== undefined) return compare(one.value, other) ? [{ labels, value: kept }] : [];
  const compute = arithmetic[operator];
  if (compute === undefined) throw new Error(`${operator} is not evaluated`);
  const { __name__: _, ...rest } = labels;
  return [{ labels: rest, value: compute(one.value, other) }];
}

function combineSets(
  operator: string,
  left: readonly Sample[],
  right: readonly Sample[],
  by: Matching,
): Sample[] {
  const keysOf = (samples: readonly Sample[]) =>
    new Set(samples.map(({ labels }) => matchKey(labels, by)));
  const [lefts, rights] = [keysOf(left), keysOf(right)];
  if (operator === 'or')
    return [...left, ...right.filter(({ labels }) => !lefts.has(matchKey(labels, by)))];
  return left.filter(({ labels }) => rights.has(matchKey(labels, by)) === (operator === 'and'));
}

function samplesOf(operand: Operand): Sample[] {
  if (typeof operand === 'number') throw new Error('a number is not a vector');
  return operand;
}

function matchLabels(labels: Labels, { names, isOn }: Matching): Labels {
  const found = Object.entries(labels).filter(
    ([name]) => name !== '__name__' && names.includes(name) === isOn,
  );
  return Object.fromEntries(found);
}

function matchKey(labels: Labels, by: Matching): string {
  return keyOf(matchLabels(labels, by));
}
