import fc from 'fast-check';
import type { Argument, BinaryOperator, Expression } from '../../libs/mapping/src/language/ast.js';
import { isConstant } from '../../libs/mapping/src/closures/fold-constants.js';
import { field, fields, names, texts } from './words.js';

// Expressions that do something: arguments that often fit, and now and then what nobody would write.

export const at = { start: 0, end: 0 };

const value = (one: null | boolean | number | bigint | string): Expression => ({
  kind: 'literal',
  value: one,
  ...at,
});
export const literal = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: -3, max: 9 }) },
    { weight: 4, arbitrary: texts },
    { weight: 3, arbitrary: fc.constantFrom(null, true, false) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(1.5, -0.25, 9007199254740991, 9007199254740993n, 2n ** 63n - 1n),
    },
  )
  .map(value);

const operators: BinaryOperator[] = [
  '+',
  '+',
  '-',
  '*',
  '/',
  '%',
  '|',
  '|',
  '==',
  '==',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '&&',
  '||',
];

type Given = fc.Arbitrary<Expression>;

export function either(left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator: '|', left, right, ...at };
}

/** Operations on literals alone are done when a template is compiled, and refused when they fail. */
export function unlessConstant(expression: Expression): Expression {
  return isConstant(expression) ? { kind: 'this', ...at } : expression;
}

export function call(target: Given, name: string, ...given: Given[]): Given {
  return fc.tuple(target, ...given).map(([on, ...values]): Expression => ({
    kind: 'method',
    target: on,
    name,
    arguments: values.map((one): Argument => ({ value: one })),
    ...at,
  }));
}

export const { expression, condition } = fc.letrec<{
  expression: Expression;
  query: Expression;
  condition: Expression;
}>((tie) => {
  const one = tie('expression');
  const condition = tie('condition');
  const query = tie('query');
  const without = [
    'lowercase',
    'uppercase',
    'trim',
    'string',
    'number',
    'length',
    'array',
    'not_null',
    'type',
    'keys',
    'values',
    'sort',
    'unique',
    'flatten',
    'reverse',
    'not_empty',
    'abs',
    'sum',
    'bytes',
    'enumerated',
    'key_values',
    'bool',
    'int64',
    'capitalize',
    'floor',
    'not',
    'collapse',
    'min',
  ];
  const withQuery = [
    'map_each',
    'map_each',
    'map_each',
    'filter',
    'filter',
    'map',
    'any',
    'all',
    'find_by',
    'sort_by',
    'catch',
    'catch',
    'or',
    'or',
    'map_each_key',
  ];
  const path = fc
    .tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant<Expression>({ kind: 'this', ...at }) },
        { weight: 1, arbitrary: fc.constant<Expression>({ kind: 'root', ...at }) },
        {
          weight: 2,
          arbitrary: fc.record({ name: names, fallback: fc.nat(4) }).map(({ name, fallback }) => {
            const variable: Expression = { kind: 'variable', name, ...at };
            return fallback === 0 ? variable : either(variable, { kind: 'this', ...at });
          }),
        },
        { weight: 3, arbitrary: names.map((name): Expression => ({ kind: 'name', name, ...at })) },
        { weight: 1, arbitrary: one },
      ),
      fc.array(field, { maxLength: 3 }),
    )
    .map(([base, keys]) =>
      keys.reduce((target, name): Expression => ({ kind: 'field', target, name, ...at }), base),
    );
  const text = texts.map(value);
  const number = fc.integer({ min: -3, max: 9 }).map(value);
  const list = fc
    .array(one, { maxLength: 2 })
    .map((items): Expression => ({ kind: 'array', items, ...at }));
  const withValue: Record<string, Given> = {
    append: literal,
    contains: literal,
    find: literal,
    merge: one,
    assign: one,
    concat: list,
    number,
    repeat: number,
    index: number,
    slice: number,
    join: text,
    split: text,
    has_prefix: text,
    get: text,
    exists: text,
    without: text,
    trim: text,
    format: one,
  };
  // An expression other than a literal can have any type when it runs; a literal of the wrong type is refused before.
  const dynamic = fc
    .oneof(path, path, call(path, 'string'), call(path, 'length'))
    .map(unlessConstant);
  const calls = fc.oneof(
    ...without.map((name) => call(one, name)),
    ...withQuery.map((name) => call(one, name, query)),
    ...Object.entries(withValue).map(([name, given]) => call(one, name, given)),
    ...Object.keys(withValue).map((name) => call(one, name, dynamic)),
    ...['replace_all', 'replace'].map((name) => call(one, name, text, text)),
    call(one, 'fold', one, query),
    call(one, 'apply', fc.constantFrom('first', 'second', 'third').map(value)),
    call(one, 'index', fc.constantFrom(0, 1, -1, 9).map(value)),
  );
  const functions = fc
    .oneof(
      fc
        .constantFrom('deleted', 'nothing', 'pi', 'now', 'uuid_v4', 'content')
        .map((name) => ({ name, given: [] as Expression[] })),
      fc.record({
        name: fc.constantFrom('throw', 'var', 'meta', 'root_meta', 'json'),
        given: fc.tuple(fc.oneof(text, dynamic)),
      }),
      fc.record({ name: fc.constant('range'), given: fc.tuple(fc.constant(value(0)), dynamic) }),
    )
    .map(({ name, given }): Expression => ({
      kind: 'function',
      name,
      arguments: given.map((argument) => ({ value: argument })),
      ...at,
    }));
  const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 3 });
  return {
    condition: fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .record({
            operator: fc.constantFrom<BinaryOperator>('==', '!='),
            left: path,
            right: literal,
          })
          .map((parts): Expression => ({ kind: 'binary', ...parts, ...at })),
      },
      { weight: 1, arbitrary: call(path, 'exists', fields.map(value)) },
      { weight: 1, arbitrary: one },
    ),
    query: fc.oneof(
      {
        weight: 3,
        arbitrary: fc
          .record({ parameter: fc.oneof(names, fc.constant('_')), body: one })
          .map(({ parameter, body }): Expression =>
            body.kind === 'lambda' ? body : { kind: 'lambda', parameter, body, ...at },
          ),
      },
      { weight: 1, arbitrary: one },
    ),
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 3, arbitrary: literal },
      { weight: 6, arbitrary: path },
      { weight: 5, arbitrary: calls },
      {
        weight: 4,
        arbitrary: fc
          .record({
            operator: fc.constantFrom(...operators),
            left: one,
            right: one,
            isKept: fc.nat(9),
          })
          .map(({ operator, left, right, isKept }): Expression => ({
            kind: 'binary',
            operator,
            left: isConstant(right) && isKept < 9 ? unlessConstant(left) : left,
            right,
            ...at,
          })),
      },
      {
        weight: 2,
        arbitrary: fc
          .array(one, { maxLength: 3 })
          .map((items): Expression => ({ kind: 'array', items, ...at })),
      },
      {
        weight: 2,
        arbitrary: fc
          .array(
            fc.record({
              key: fc.oneof(
                { weight: 9, arbitrary: field.map(value) },
                { weight: 1, arbitrary: call(path, 'string') },
              ),
              value: one,
            }),
            { maxLength: 3 },
          )
          .map((entries): Expression => ({ kind: 'object', entries, ...at })),
      },
      {
        weight: 1,
        arbitrary: one.map((operand): Expression => ({
          kind: 'not',
          operand: unlessConstant(operand),
          ...at,
        })),
      },
      {
        weight: 1,
        arbitrary: one.map((operand): Expression => ({ kind: 'negate', operand, ...at })),
      },
      {
        weight: 1,
        arbitrary: fc
          .record({ target: one, body: query })
          .map((parts): Expression => ({ kind: 'scoped', ...parts, ...at })),
      },
      { weight: 1, arbitrary: functions },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Expression>(
          { kind: 'metadata', ...at },
          { kind: 'metadata', key: 'm', ...at },
        ),
      },
      {
        weight: 2,
        arbitrary: fc
          .record(
            { branches: some(fc.record({ condition, value: one })), otherwise: one },
            { requiredKeys: ['branches'] },
          )
          .map((parts): Expression => ({ kind: 'if', ...parts, ...at })),
      },
      {
        weight: 2,
        arbitrary: fc
          .record(
            {
              subject: one,
              cases: some(
                fc.record(
                  { test: fc.oneof(literal, query), value: query },
                  { requiredKeys: ['value'] },
                ),
              ),
            },
            { requiredKeys: ['cases'] },
          )
          .map((parts): Expression => ({ kind: 'match', ...parts, ...at })),
      },
    ),
  };
});
