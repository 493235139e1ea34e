// npm run bench -- mapping: this engine beside functions by hand, on mappings of real size and on calls of single methods; and beside JSONata
// on three small mappings. Outputs are compared first. Read the ratios: what stands in one row was measured in turns, in processor time,
// and is the median of the rounds. What it printed last stands in docs/performance.md.
import { deepStrictEqual } from 'node:assert';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { compileDocument, compileTemplate, formatJson, parseJson } = await import(
  `${join(root, 'dist')}/libs/mapping/src/index.js`
);
const folder = join(root, 'libs/mapping/bench');
const { mappings } = await import(`${folder}/mappings.mjs`);
const { readRealMappings, variantsOf } = await import(`${folder}/real-mappings.mjs`);
const { methodCalls } = await import(`${folder}/method-calls.mjs`);
const { compareInTurns, median } = await import(`${folder}/measure.mjs`);
const { default: jsonata } = await import('jsonata');

const closures = { generateAfter: Infinity };
const rows = 100;

const { model } = cpus()[0];
console.log(`node ${process.version}, ${cpus().length} × ${model}\n`);
await measureReal();
await measureMethods();
await measureSmall();

/** Mappings of real size: object → object, as documents, and a list of records one by one. */
async function measureReal() {
  console.log(
    'Mappings of real size, nanoseconds of processor time per record; × is beside by hand:\n',
  );
  const kinds = ['template', 'document', 'closures alone', `document, ${rows} rows`];
  table('mapping', 'by hand', ...kinds.flatMap((kind) => [kind, '×']));
  /** @type {number[][]} */
  const all = kinds.map(() => []);
  for (const { name, template, input, byHand } of await readRealMappings()) {
    const tiered = compileTemplate(template);
    const slow = compileTemplate(template, closures);
    const document = compileDocument(documentOf(template));
    const list = variantsOf(input, rows);
    for (const one of [input, ...list]) {
      for (let run = 0; run < 100; run += 1) tiered.run(one);
      const wanted = plain(byHand(one));
      for (const made of [tiered.run(one).root, slow.run(one).root, document.run(one).record])
        deepStrictEqual(plain(made), wanted, name);
    }
    const single = await compareInTurns([
      () => byHand(input),
      () => tiered.run(input).root,
      () => document.run(input).record,
      () => slow.run(input).root,
    ]);
    const many = await compareInTurns([
      () => list.map((one) => byHand(one)),
      () => list.map((one) => document.run(one).record),
    ]);
    const times = [...single.times.slice(1), many.times[1]];
    const costs = [...single.nanoseconds.slice(1), many.nanoseconds[1] / rows];
    for (const [index, one] of times.entries()) all[index].push(one);
    table(
      name,
      Math.round(single.nanoseconds[0]),
      ...costs.flatMap((cost, index) => [Math.round(cost), times[index].toFixed(2)]),
    );
  }
  table('median', '', ...all.flatMap((one) => ['', median(one).toFixed(2)]));
  table('largest', '', ...all.flatMap((one) => ['', Math.max(...one).toFixed(2)]));
}

async function measureMethods() {
  console.log('\nCalls of methods in a list of 100, nanoseconds of processor time per call:\n');
  table('method', 'by hand', 'template', '×', 'closures alone', '×');
  for (const { name, template, input, byHand } of methodCalls) {
    const tiered = compileTemplate(template);
    const slow = compileTemplate(template, closures);
    for (let run = 0; run < 500; run += 1) tiered.run(input);
    for (const one of [tiered, slow])
      deepStrictEqual(plain(one.run(input).root), plain(byHand(input)), name);
    const { nanoseconds, times } = await compareInTurns([
      () => byHand(input),
      () => tiered.run(input).root,
      () => slow.run(input).root,
    ]);
    const [hand, engine, closed] = nanoseconds.map((time) => (time / input.length).toFixed(1));
    table(name, hand, engine, times[1].toFixed(2), closed, times[2].toFixed(2));
  }
}

/** Three small mappings beside JSONata, from text to text as well, and new templates. */
async function measureSmall() {
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

  console.log('\nSmall mappings, nanoseconds of processor time per run:\n');
  table('mapping', 'kind', 'by hand', 'template', '×', 'closures alone', '×', 'JSONata', '×');
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
    '\nText → text beside JSON.parse and JSON.stringify of the input alone, nanoseconds:\n',
  );
  table('mapping', 'JSON alone', 'this engine', '×');
  for (const { name, text, usual } of compiled) {
    const { nanoseconds, times } = await compareInTurns([
      () => JSON.stringify(JSON.parse(text)),
      () => formatJson(usual.run(parseJson(text)).root),
    ]);
    table(name, ...nanoseconds.map(Math.round), times[1].toFixed(2));
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
  const { nanoseconds } = await compareInTurns([() => compileTemplate(template)]);
  console.log(
    `\nCompiling the ticket mapping of ${template.trim().split('\n').length} lines, warm: ${(nanoseconds[0] / 1e6).toFixed(3)} ms`,
  );
}

function plain(value) {
  return JSON.parse(formatJson(value));
}

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
  if (cells[0] === 'mapping' || cells[0] === 'method')
    console.log(`|${' --- |'.repeat(cells.length)}`);
}

async function row(name, kind, functions) {
  const { nanoseconds, times } = await compareInTurns(functions);
  const [hand, ...others] = nanoseconds.map(Math.round);
  const cells = others.flatMap((time, index) => [time, times[index + 1].toFixed(2)]);
  table(name, kind, hand, ...cells, ...Array(6 - cells.length).fill(''));
}

/** Measures microseconds per run with new texts: the minimum of several. */
async function fresh(runs, text, comment, make) {
  const times = [];
  for (let round = 0; round < 9; round += 1) {
    const unique =
      comment === '' ? `${text} ${' '.repeat(round)}` : `${text}\n${comment} ${runs} ${round}\n`;
    const begin = performance.now();
    const run = make(unique);
    let made;
    for (let count = 0; count < runs; count += 1) made = await run();
    times.push((1000 * (performance.now() - begin)) / runs);
    deepStrictEqual(typeof made, 'object');
  }
  return Math.min(...times);
}
