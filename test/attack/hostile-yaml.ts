const aliases = Array.from({ length: 12 }, (_, level) => {
  const name = (at: number) => `a${at}`;
  const below = level === 0 ? '"x"' : `*${name(level - 1)}`;
  return `${name(level)}: &${name(level)} [${Array.from({ length: 9 }, () => below).join(', ')}]`;
}).join('\n');

/** Documents that have broken YAML parsers before. */
export const hostileYaml: readonly string[] = [
  aliases,
  'a: &a [*a]',
  'a: &a { b: *a }',
  '<<: *nobody',
  '? { a: b }\n: c',
  '? [a, b]\n: c',
  '!!js/function "function () {}"',
  '!!python/object/apply:os.system ["true"]',
  '!!binary "not base64 %%%"',
  'a: !<tag:yaml.org,2002:timestamp> 2026-99-99',
  '%YAML 9.9\n---\na: 1',
  '---\na: 1\n---\nb: 2',
  '\t- a',
  'a: "\\ud800"',
  'a: "\\u0000"',
  'a: .inf\nb: -.inf\nc: .nan\nd: 0o777\ne: 1e999',
  '__proto__: { polluted: true }',
  'constructor: { prototype: { polluted: true } }',
  '{'.repeat(3_000),
  '['.repeat(3_000),
  '- '.repeat(3_000),
  `${'a: '.repeat(500)}1`,
  `"${'x'.repeat(100_000)}": 1`,
  `${'k: 1\n'.repeat(5_000)}`,
  Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n'),
  'a: |\n'.repeat(2_000),
];
