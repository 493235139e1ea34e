// npm run bench:mapping: this engine, a function by hand, and JSONata on the same three mappings. Outputs are compared first.
// Read the ratios: what stands in one row was measured in turns. What it printed last stands in docs/performance.md.
import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { compileDocument, compileTemplate, formatJson, parseJson } = await import(
  `${join(root, 'dist')}/libs/mapping/src/index.js`
);
const { mappings } = await import(`${join(root, 'libs/mapping/bench')}/mappings.mjs`);
const { default: jsonata } = await import('jsonata');

const closures = { generateAfter: Infinity };
const rounds = 9;
// Results are stored here, or the compiler removes code whose result is not used.
const kept = [];

const compiled = mappings.map(({ template, ...rest }) => ({
  ...rest,
  template,
  text: JSON.stringify(rest.input),
  usual: compileTemplate(template),
  closures: compileTemplate(template, closures),
  document: compileDocument(documentOf(template)),
  query: jsonata(rest.jsonata),
}));
for (const one of compiled) await compare(one);

console.log('Warm, runs per second; × is the time of the function by hand:\n');
table(
  'mapping',
  'kind',
  'by hand',
  'this engine',
  '×',
  'closures alone',
  '×',
  'JSONata',
  'KB per run',
);
for (const { name, input, text, byHand, usual, closures, document, query } of compiled) {
  await row(name, 'object → object', [
    () => byHand(input),
    () => usual.run(input).root,
    () => closures.run(input).root,
    () => query.evaluate(input),
  ]);
  await row(name, 'the same as a document', [
    () => byHand(input),
    () => document.run(input).record,
  ]);
  await row(name, 'text → text', [
    () => JSON.stringify(byHand(JSON.parse(text))),
    () => formatJson(usual.run(parseJson(text)).root),
    () => formatJson(closures.run(parseJson(text)).root),
    async () => JSON.stringify(await query.evaluate(JSON.parse(text))),
  ]);
}

console.log(
  '\nText → text beside JSON.parse and JSON.stringify of the input alone, runs per second:\n',
);
table('mapping', 'JSON alone', 'this engine', '×');
for (const { name, text, usual } of compiled) {
  const [plain, whole] = await inTurns([
    () => JSON.stringify(JSON.parse(text)),
    () => formatJson(usual.run(parseJson(text)).root),
  ]);
  table(name, Math.round(plain), Math.round(whole), (plain / whole).toFixed(2));
}

console.log('\nA template that is new, microseconds per run with compiling, object → object:\n');
table('mapping', 'runs', 'this engine', 'closures alone', 'JSONata');
for (const { name, template, input, jsonata: expression } of compiled)
  for (const runs of [1, 100, 10_000]) {
    const engine = (options) => (text) => {
      const { run } = compileTemplate(text, options);
      return () => run(input);
    };
    const other = (text) => {
      const query = jsonata(text);
      return () => query.evaluate(input);
    };
    const times = [
      await fresh(runs, template, '#', engine({})),
      await fresh(runs, template, '#', engine(closures)),
      await fresh(Math.min(runs, 100), expression, '', other),
    ];
    table(name, runs, ...times.map((time) => time.toFixed(1)));
  }

const [{ template }] = mappings;
const [compiling] = await inTurns([() => compileTemplate(template)]);
console.log(
  `\nCompiling the ticket mapping of ${template.trim().split('\n').length} lines, warm: ${(1000 / compiling).toFixed(3)} ms`,
);

function documentOf(template) {
  const lines = template.trim().replace(/^/gm, '    ');
  return `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n${lines}\n`;
}

/** Checks that all have the same output, in both tiers; JSONata leaves null out. */
async function compare({ name, input, byHand, usual, closures, document, query }) {
  const wanted = formatJson(byHand(input));
  for (let run = 0; run < 3_000; run += 1) usual.run(input);
  for (const template of [usual, closures])
    deepStrictEqual(formatJson(template.run(input).root), wanted, name);
  deepStrictEqual(formatJson(document.run(input).record), wanted, name);
  const [want, got] = [byHand(input), JSON.parse(JSON.stringify(await query.evaluate(input)))];
  for (const key of Object.keys(got))
    deepStrictEqual(got[key], want[key], `${name}, JSONata: ${key}`);
}

function table(...cells) {
  console.log(`| ${cells.join(' | ')} |`);
  if (cells[0] === 'mapping') console.log(`|${' --- |'.repeat(cells.length)}`);
}

async function row(name, kind, runs) {
  const [hand, engine, slow, other] = await inTurns(runs);
  const times = (one) => (one === undefined ? '' : (hand / one).toFixed(2));
  const cell = (one) => (one === undefined ? '' : Math.round(one));
  table(
    name,
    kind,
    Math.round(hand),
    Math.round(engine),
    times(engine),
    cell(slow),
    times(slow),
    cell(other),
    (allocated(runs[1]) / 1024).toFixed(1),
  );
}

/** Returns the best of several rounds each, in turns, so that other work on the machine counts for little. */
async function inTurns(runs) {
  const rates = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, run] of runs.entries()) rates[index].push(await rate(run));
  return rates.map((all) => Math.max(...all));
}

/** Measures runs per second, after a warm-up. */
async function rate(run, milliseconds = 120) {
  const isAsync = run() instanceof Promise;
  for (const phase of [milliseconds / 2, milliseconds]) {
    const begin = performance.now();
    let count = 0;
    while (performance.now() - begin < phase) {
      for (let index = 0; index < 20; index += 1) kept[index] = isAsync ? await run() : run();
      count += 20;
    }
    if (phase === milliseconds) return (1000 * count) / (performance.now() - begin);
  }
}

/** Measures microseconds per run with new texts: the minimum of several. */
async function fresh(runs, text, comment, make) {
  const times = [];
  for (let round = 0; round < 9; round += 1) {
    const unique =
      comment === '' ? `${text} ${' '.repeat(round)}` : `${text}\n${comment} ${runs} ${round}\n`;
    const begin = performance.now();
    const run = make(unique);
    for (let count = 0; count < runs; count += 1) kept[0] = await run();
    times.push((1000 * (performance.now() - begin)) / runs);
  }
  return Math.min(...times);
}

/** Measures bytes that a run allocates, including garbage: the median of tries without a collection. */
function allocated(run) {
  const tries = [];
  for (let attempt = 0; attempt < 15; attempt += 1) {
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 20; index += 1) kept[index] = run();
    const bytes = process.memoryUsage().heapUsed - before;
    if (bytes > 0) tries.push(bytes / 20);
  }
  return tries.sort((a, b) => a - b)[Math.floor(tries.length / 2)] ?? 0;
}
