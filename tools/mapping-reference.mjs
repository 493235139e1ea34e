// Writes docs/mapping from the values of the methods and functions and from the named deviations; with --check only says
// whether the pages are up to date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { parse } from 'yaml';
import { root } from './install.mjs';
import { signature } from './mapping-language.mjs';

const { formatJson, standardEnvironment } = await import('@onefold/mapping');
const { functions, methods, refusedFunctions, refusedMethods } = standardEnvironment;
const byName = (a, b) => (a.name < b.name ? -1 : 1);
const note =
  'This page is written by `node tools/mapping-reference.mjs` from the code; `npm run check` compares.';

const purities = {
  pure: 'pure',
  clock: 'reads the time of the run',
  random: 'takes random numbers of the run',
  run: 'reads the document, metadata, variables or templates of the run',
};
const more = {
  size: 'more as target or result grow',
  elements: 'more for each element',
  sort: 'more by n log n of the elements',
  square: 'more by the square of the elements',
  signature: 'more for a signature, and as target or result grow',
  random: 'more for each random number',
};

/** Says what a call costs, in the words that `costLegend` explains. */
function costOf({ cost, category, parameters = [], variadic }) {
  const isMethod = category !== undefined;
  const walks = [
    ...(isMethod ? [['target', cost.target]] : []),
    ...(parameters.length > 0 || variadic ? [['arguments', cost.arguments]] : []),
    ['result', cost.result],
  ]
    .filter(([, walk]) => walk !== 'none')
    .map(([part, walk]) => (walk === 'deep' ? `all in the ${part}` : `the ${part}`));
  const steps = cost.steps + 1;
  return [
    steps === 0 ? 'no step' : steps === 1 ? '1 step' : `${steps} steps`,
    ...(walks.length > 0 ? [`walks ${walks.join(', ')}`] : []),
    ...(walks.length > 0 && cost.nanoseconds !== 2 ? [`${cost.nanoseconds} ns a character`] : []),
    ...(cost.own ? [more[cost.own]] : []),
  ].join('; ');
}

const costLegend = [
  'The cost of a call is counted in steps of 128 nanoseconds, which a run has a limit of. What a call walks it pays for before it does: a text by its',
  'characters, 2 nanoseconds each unless its line says otherwise; an array with a step for 8 elements; an object with a step, and 2 for each key (5 above 500 keys).',
  '“All in” it is everything inside as well, and each element of an array a step. The result is paid for by its memory, and by its keys; “all in the result” as above,',
  'but for texts. “More” is what a method pays besides while it works. `test/mapping-hostile/costs.spec.ts` compares these lines with what calls of two sizes spend.',
  '',
];

function entry(one) {
  const lines = [
    `### ${one.name}`,
    '',
    `\`${signature(one, formatJson)}\``,
    '',
    one.description,
    '',
  ];
  const needs = one.needs ? `; needs the package \`${one.needs.name}\`` : '';
  lines.push(`_${purities[one.purity]}; cost: ${costOf(one)}${needs}_`, '');
  for (const [source, input, output] of one.examples)
    lines.push('```coffee', source, `# In:  ${input}`, `# Out: ${output}`, '```', '');
  return lines;
}

function refusals(refused) {
  return Object.entries(refused)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, reason]) => `- \`${name}\`: ${reason}`);
}

const all = [...methods.values()].sort(byName);
const categories = [...new Set(all.map(({ category }) => category))].sort();
const deviations = parse(readFileSync(join(root, 'libs/mapping/cases/deviations.yaml'), 'utf8'));
const read = (name) => parse(readFileSync(join(root, `libs/mapping/cases/${name}.yaml`), 'utf8'));
const textRules = read('error-texts');
const counts = read('conformance');
const sum = (key) => counts.reduce((all, one) => all + one[key], 0);
const pages = {
  'docs/mapping/methods.md': [
    '# Methods',
    '',
    `${note} There are ${all.length}; names refused or missing are in [deviations](deviations.md).`,
    '',
    ...costLegend,
    ...categories.flatMap((category) => [
      `## ${category[0].toUpperCase()}${category.slice(1)}`,
      '',
      ...all.filter((one) => one.category === category).flatMap(entry),
    ]),
  ],
  'docs/mapping/functions.md': [
    '# Functions',
    '',
    `${note} There are ${functions.size}. [Methods](methods.md) explains their costs.`,
    '',
    ...[...functions.values()].sort(byName).flatMap(entry),
  ],
  'docs/mapping/deviations.md': [
    '# Deviations from the reference',
    '',
    note,
    '',
    '## What differs',
    '',
    ...deviations.map(({ reason, ids }) => {
      const cases = ids.length === 1 ? 'one conformance case' : `${ids.length} conformance cases`;
      return ids.length === 0 ? `- ${reason}` : `- ${reason} (${cases})`;
    }),
    '',
    '## How texts of errors differ',
    '',
    ...textRules.map(({ reason }) => `- ${reason}`),
    '',
    '## How many conformance cases pass',
    '',
    `${sum('pass')} of ${sum('cases')} cases pass; the others are those above. ${sum('alike')} of ${sum('texts')} texts of errors are those of the reference.`,
    '',
    '| category | cases | pass | error texts | alike |',
    '| --- | --- | --- | --- | --- |',
    ...counts.map(
      (one) => `| ${one.category} | ${one.cases} | ${one.pass} | ${one.texts} | ${one.alike} |`,
    ),
    '',
    '## Methods that are a compile error',
    '',
    ...refusals(refusedMethods),
    '',
    '## Functions that are a compile error',
    '',
    ...refusals(refusedFunctions),
    '',
  ],
};

const style = JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8'));
for (const [page, lines] of Object.entries(pages)) {
  const text = await format(lines.join('\n'), { ...style, parser: 'markdown' });
  const file = join(root, page);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(
      `${page} is stale: run \`npm run build\` and \`node tools/mapping-reference.mjs\`.`,
    );
    process.exitCode = 1;
  }
}
