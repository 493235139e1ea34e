import fc from 'fast-check';
import type { Statement, Template } from '../../libs/mapping/src/language/ast.js';
import { printTemplate } from '../../libs/mapping/src/language/print.js';
import {
  at,
  call,
  condition,
  either,
  expression,
  literal,
  unlessConstant,
} from './any-expression.js';
import { expressionsOf, variableReads, variablesOf } from '../../libs/mapping/src/language/walk.js';
import { field, names } from './words.js';

const place = { ...at, line: 1 };
const settled = fc.oneof(
  { weight: 2, arbitrary: expression },
  {
    weight: 2,
    arbitrary: fc
      .tuple(expression, literal)
      .map(([left, right]) => either(unlessConstant(left), right)),
  },
  { weight: 1, arbitrary: call(expression, 'catch', expression) },
);
const assignment = fc
  .record({ path: fc.array(field, { maxLength: 3 }), value: settled })
  .map(({ path, value: one }): Statement => ({
    kind: 'assign',
    path: ['root', ...path],
    value: one,
    ...place,
  }));
const simple = fc.oneof(
  { weight: 6, arbitrary: assignment },
  {
    weight: 2,
    arbitrary: fc
      .record({ name: names, value: settled })
      .map((parts): Statement => ({ kind: 'let', ...parts, ...place })),
  },
);
const conditional = fc
  .record(
    {
      branches: fc.array(
        fc.record({
          condition,
          body: fc.array(simple, { minLength: 1, maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
      otherwise: fc.array(simple, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['branches'] },
  )
  .map((parts): Statement => ({ kind: 'if', ...parts, ...place }));
const metadata = fc
  .record({ key: fc.constantFrom('m', 'k'), value: expression }, { requiredKeys: ['value'] })
  .map((parts): Statement => ({ kind: 'meta', ...parts, ...place }));
const inMaps = fc.oneof({ weight: 6, arbitrary: simple }, { weight: 1, arbitrary: conditional });
const anywhere = fc.oneof({ weight: 12, arbitrary: inMaps }, { weight: 1, arbitrary: metadata });

/** The source of a template that does something. */
export const anyProgram: fc.Arbitrary<string> = fc
  .record({
    statements: fc.array(anywhere, { minLength: 1, maxLength: 6 }),
    maps: fc.array(
      fc.tuple(
        fc.constantFrom('first', 'second'),
        fc.array(inMaps, { minLength: 1, maxLength: 3 }),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ statements, maps }) =>
    printTemplate({
      statements: withVariables(statements),
      maps: new Map(maps.map(([name, body]) => [name, withVariables(body)])),
    } satisfies Template),
  );

/** The statements, with a `let` at the end for variables that none makes: reading those is refused when it is compiled. */
function withVariables(statements: readonly Statement[]): Statement[] {
  const made = variablesOf(statements);
  const read = expressionsOf(statements).flatMap(variableReads);
  const missing = new Set(read.map(({ name }) => name).filter((name) => !made.has(name)));
  const lets = [...missing].map((name): Statement => ({
    kind: 'let',
    name,
    value: { kind: 'this', ...at },
    ...place,
  }));
  return [...statements, ...lets];
}
