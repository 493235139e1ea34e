import { compareValues } from '../../language/operators.js';
import type { Query, Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asArray, isNumber, sortSteps, typeName, type Value } from '../../language/values.js';
import { flat, free } from '../costs.js';

function order(a: Value, b: Value): number {
  const result =
    (isNumber(a) && isNumber(b)) || (typeof a === 'string' && typeof b === 'string')
      ? compareValues(a, b)
      : undefined;
  if (result === undefined)
    throw new RunError(`sort element: cannot compare types ${typeName(a)} and ${typeName(b)}`);
  return result;
}

function sort(target: Value, compare: Query | undefined, run: Run): Value {
  const list = [...asArray(target)];
  run.array(list.length);
  run.holdArray(list.length);
  run.spend(sortSteps(list.length));
  if (compare === undefined) return list.sort(order);
  return list.sort((left, right) => {
    run.spend(1);
    // Less means before; neither before the other keeps the sequence.
    if (compare({ left, right }) === true) return -1;
    return compare({ left: right, right: left }) === true ? 1 : 0;
  });
}

export const sortMethods: readonly Method[] = [
  {
    name: 'sort',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'sort' },
    returns: 'part',
    description: 'In order; a query that sees left and right says what comes first.',
    parameters: [{ name: 'compare', type: 'query', optional: true }],
    examples: [
      ['root = this.sort()', '[3,1,2]', '[1,2,3]'],
      ['root = this.sort(item -> item.left > item.right)', '[1,3,2]', '[3,2,1]'],
    ],
    run: (target, [compare], run) => sort(target, compare as Query | undefined, run),
  },
  {
    name: 'sort_by',
    category: 'array and object',
    purity: 'pure',
    cost: { ...flat, own: 'sort' },
    returns: 'part',
    description: 'In the order of what a query makes of each element.',
    parameters: [{ name: 'query', type: 'query' }],
    examples: [
      ['root = this.sort_by(v -> v.id)', '[{"id":"b"},{"id":"a"}]', '[{"id":"a"},{"id":"b"}]'],
    ],
    run: (target, [inner], run) => {
      const list = asArray(target);
      run.array(list.length);
      run.spend(list.length);
      run.holdFields(list.length);
      run.spend(sortSteps(list.length));
      return list
        .map((element) => ({ element, key: (inner as Query)(element) }))
        .sort((a, b) => order(a.key, b.key))
        .map(({ element }) => element);
    },
  },
];
