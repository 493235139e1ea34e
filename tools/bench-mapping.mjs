// npm run bench:mapping: this engine, a function by hand, and JSONata on the same three mappings. Outputs are compared first.
// Read the ratios; what it measured last stands in docs/performance.md.
import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { compileTemplate, formatJson, parseJson } = await import(
  `${join(root, 'dist')}/libs/mapping/src/index.js`
);
const { mappings } = await import(`${join(root, 'libs/mapping/bench')}/mappings.mjs`);
const { default: jsonata } = await import('jsonata');

// Results go here, or the compiler leaves out what nobody reads.
const kept = [];

console.log(
  '| mapping | kind | by hand /s | this engine /s | of by hand | JSONata /s | KB per run |',
);
console.log('|---|---|---|---|---|---|---|');
for (const { name, input, template, byHand, jsonata: expression } of mappings) {
  const compiled = compileTemplate(template);
  const query = jsonata(expression);
  const text = JSON.stringify(input);
  const sorted = (value) => formatJson(value);
  deepStrictEqual(sorted(compiled.run(input).root), sorted(byHand(input)), name);
  const [want, got] = [byHand(input), JSON.parse(JSON.stringify(await query.evaluate(input)))];
  for (const key of Object.keys(got))
    deepStrictEqual(got[key], want[key], `${name}, JSONata: ${key}`);
  const objects = [
    () => byHand(input),
    () => compiled.run(input).root,
    () => query.evaluate(input),
  ];
  const texts = [
    () => JSON.stringify(byHand(JSON.parse(text))),
    () => formatJson(compiled.run(parseJson(text)).root),
    async () => JSON.stringify(await query.evaluate(JSON.parse(text))),
  ];
  await row(name, 'object → object', objects);
  await row(name, 'text → text', texts);
  const plain = await rate(() => JSON.stringify(JSON.parse(text)));
  const whole = await rate(texts[1]);
  console.log(
    `| ${name} | JSON.parse + JSON.stringify alone | ${Math.round(plain)} | ${Math.round(whole)} | ${(plain / whole).toFixed(2)} × | | |`,
  );
  console.log(`| ${name} | first run, compiling | | ${cold(template, input)} ms | | | |`);
}
const [{ template }] = mappings;
console.log(
  `\nCompiling the ticket mapping of ${template.trim().split('\n').length} lines, warm: ${(1000 / (await rate(() => compileTemplate(template)))).toFixed(3)} ms`,
);

async function row(name, kind, [hand, engine, other]) {
  // Interleaved, so that what the machine does meanwhile hits all three.
  const rates = [[], [], []];
  for (let round = 0; round < 3; round += 1)
    for (const [index, run] of [hand, engine, other].entries()) rates[index].push(await rate(run));
  const [a, b, c] = rates.map((all) => all.sort((x, y) => x - y)[1]);
  console.log(
    `| ${name} | ${kind} | ${Math.round(a)} | ${Math.round(b)} | ${(a / b).toFixed(2)} × | ${Math.round(c)} | ${(allocated(engine) / 1024).toFixed(1)} |`,
  );
}

/** Runs per second, after a warm-up. */
async function rate(run, milliseconds = 300) {
  const isAsync = run() instanceof Promise;
  for (const phase of [milliseconds / 2, milliseconds]) {
    const begin = performance.now();
    let count = 0;
    while (performance.now() - begin < phase) {
      // Kept, or the compiler leaves out what nobody reads.
      for (let index = 0; index < 20; index += 1) kept[index] = isAsync ? await run() : run();
      count += 20;
    }
    if (phase === milliseconds) return (1000 * count) / (performance.now() - begin);
  }
}

function allocated(run) {
  const before = process.memoryUsage().heapUsed;
  const runs = 200;
  for (let index = 0; index < runs; index += 1) run();
  return Math.max(0, process.memoryUsage().heapUsed - before) / runs;
}

function cold(template, input) {
  const begin = performance.now();
  compileTemplate(`${template}\n# ${Math.floor(begin)}\n`).run(input);
  return (performance.now() - begin).toFixed(2);
}
