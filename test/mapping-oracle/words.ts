import fc from 'fast-check';

// Few names, so that they meet; and now and then what nobody would write.

export const fields = fc.constantFrom('a', 'b', 'n', 's', 'list', 'rows', 'x');
const oddFields = fc.constantFrom(
  '__proto__',
  'constructor',
  'length',
  'description',
  '0',
  '1',
  '-',
  '*',
  'k k',
  '',
  'é',
  'toString',
);
export const field = fc.oneof(
  { weight: 9, arbitrary: fields },
  { weight: 1, arbitrary: oddFields },
);
export const names = fc.constantFrom('v', 'w', 'p');
export const texts = fc.constantFrom(
  '',
  'a',
  'text',
  'Text ß é',
  'İx',
  '7',
  '-1.5',
  'a b',
  '😀',
  'true',
);
