import type { Operation, QueryParameter } from '#contract';
import { resultFields } from '../bodies/schemas.js';
import { hostileText, hostileTexts } from './hostile-values.js';
import { mutateText } from './mutate-text.js';
import { percentEncode } from './percent.js';
import type { Random } from './random.js';

const operators = 'eq neq ne gt gte lt lte in not%20in like not%20like between constructor'.split(
  ' ',
);
const metaFunctions = [
  'api/response',
  'mapping/chains',
  'mapping/trace',
  'request/poll_timeout',
  'stats/count',
];
const malformed = [
  '%',
  '%z',
  '%c0%af',
  '%ed%a0%80',
  '%00',
  '%ff',
  '%u0041',
  '+',
  '#',
  '%0d%0a',
  ';',
];
const wholeNumbers = [
  '0',
  '1',
  '2',
  '5',
  '100',
  '5000',
  '5001',
  '-1',
  '-0',
  '1e3',
  '0x1',
  '1.0',
  ' 1',
];
const hugeNumbers = ['9007199254740993', '999999999999999', '1000000000000000', '1e400', 'NaN'];

/** Returns valid query values of an operation: `name=value`, encoded. */
export function validQuery(random: Random, operation: Operation): string[] {
  const chosen = Object.entries(operation.query).filter(
    ([, { required }]) => required || random.chance(0.25),
  );
  return chosen.map(
    ([name, parameter]) =>
      `${name}=${percentEncode(validValue(random, operation, name, parameter))}`,
  );
}

/** Adds to or changes the query: invalid values, unknown or repeated names, wrong encodings. */
export function mutateQuery(
  random: Random,
  operation: Operation,
  query: readonly string[],
): string[] {
  const names = Object.keys(operation.query);
  const name = names.length > 0 && random.chance(0.9) ? random.pick(names) : hostileText(random);
  const parameter: QueryParameter = (Object.hasOwn(operation.query, name) &&
    operation.query[name]) || {
    type: 'string',
  };
  const valid = validValue(random, operation, name, parameter);
  const add = (value: string) => [...query, `${percentEncode(name)}=${value}`];
  return random.weighted<() => string[]>([
    [4, () => add(percentEncode(mutateText(random, valid)))],
    [4, () => add(percentEncode(wrongValue(random, operation, name, parameter)))],
    [2, () => add(percentEncode(hostileText(random)))],
    [1, () => add(percentEncode(valid) + random.pick(malformed))],
    [
      1,
      () =>
        Array.from({ length: random.pick([2, 3, 101]) }, () => `${name}=${percentEncode(valid)}`),
    ],
    [1, () => [...query, `${name}[]=${percentEncode(valid)}`, `${name}[a]=1`, name, `=${name}`]],
    [
      1,
      () => [
        ...query,
        random.pick(['&&', '=', '==', '?', '%', '%00=%00', '__proto__=1', 'constructor=1']),
      ],
    ],
  ])();
}

function validValue(
  random: Random,
  operation: Operation,
  name: string,
  { type, values }: QueryParameter,
): string {
  if (name === 'filter') return filter(random, operation);
  if (name === 'order')
    return `${random.pick(fieldsOf(operation))}[${random.pick(['asc', 'desc'])}]`;
  if (name === 'meta') return metaCall(random, operation);
  if (name === 'cursor') return '{{cursor}}';
  if (name === 'start_after') return random.pick(['{{accountId}}', '{{integrationId}}', 'a', 'zz']);
  if (name === 'ids') return '{{ticketId}}';
  if (values) return random.pick(values);
  if (type === 'integer') return random.pick(['1', '2', '50']);
  return type === 'boolean' ? random.pick(['true', 'false']) : 'sample';
}

function wrongValue(
  random: Random,
  operation: Operation,
  name: string,
  { type }: QueryParameter,
): string {
  const at = random.below(60);
  if (name === 'cursor')
    return random.pick([
      `{{cursor<${at}}}`,
      `{{cursor~${at}}}`,
      '{{cursor}}{{cursor}}',
      'x{{cursor}}',
      '{{cursor}}=',
      'e30',
      '{{auditCursor}}',
      '{{accountId}}',
    ]);
  if (name === 'filter')
    return random.pick([
      `${random.pick(fieldsOf(operation))}[${random.pick(operators)}]${random.pick(hostileTexts)}`,
      `${random.pick(hostileTexts)}[eq]a`,
      `${random.pick(fieldsOf(operation))}.${random.pick(hostileTexts)}[eq]a`,
      `${random.pick(fieldsOf(operation))}[in]${'a,'.repeat(random.pick([3, 500, 1_001]))}`,
      `${random.pick(fieldsOf(operation))}[in]"a\\"b","`,
      `${random.pick(fieldsOf(operation))}[like]${random.pick(['%', '*', '\\', '(a+)+$', '***a***'])}`,
      'constructor[eq]a',
      '__proto__[eq]a',
    ]);
  if (name === 'order')
    return random.pick([
      `${random.pick(fieldsOf(operation))}[${random.pick(['up', '', 'ASC', 'asc,desc', 'constructor'])}]`,
      `${random.pick(hostileTexts)}[asc]`,
      `${random.pick(fieldsOf(operation))},id`,
      '__proto__[asc]',
    ]);
  if (name === 'meta')
    return random.pick([
      `${random.pick(metaFunctions)}(${random.pick(hostileTexts)})`,
      `${random.pick(metaFunctions)}${'('.repeat(random.pick([1, 50, 2_000]))}`,
      `stats/count([${'status,'.repeat(random.pick([2, 300]))}])`,
      `stats/count([${random.pick(['__proto__', 'constructor', 'a.b.c', 'toString.name'])}])`,
      `request/poll_timeout(${random.pick(['-1', '1e400', '99999999999', '"1"', '0x1'])})`,
      `${random.pick(hostileTexts)}(a)`,
    ]);
  if (type === 'integer') return random.pick([...wholeNumbers, ...hugeNumbers]);
  if (type === 'boolean') return random.pick(['TRUE', '1', 'yes', '', 'null']);
  return hostileText(random);
}

function filter(random: Random, operation: Operation): string {
  const field = random.pick(fieldsOf(operation));
  const value = random.pick(['a', '{{accountId}}', '2026-01-01T00:00:00Z', '1', 'true', 'open']);
  return `${field}[${random.pick(['eq', 'neq', 'gt', 'lte', 'in', 'not in', 'like'])}]${value}`;
}

function metaCall(random: Random, operation: Operation): string {
  const field = random.pick(fieldsOf(operation));
  return random.pick([
    'api/response(primary)',
    'mapping/chains',
    'mapping/trace(3)',
    'request/poll_timeout(1)',
    'stats/count',
    `stats/count([${field}])`,
    `stats/count([${field}, status])`,
  ]);
}

function fieldsOf(operation: Operation): string[] {
  return [...resultFields(operation), 'id', 'name', 'created_at'];
}
