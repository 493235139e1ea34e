// npm run fuzz -- mapping [--minutes 10] [--seed 1]: random templates and inputs through closures, generated code and the oracle,
// which must say the same, and random texts through the parser. What a long run found stands in docs/mapping/fuzzing.md.
// npm run fuzz -- mapping --hostile [--factor 1] [--only decompress]: what strangers might send, and every method on large inputs and in loops, in a
// child process; fails for what costs more than it pays for. The factor allows for a machine that is busy with other things, --only
// measures the loads of one method or function, --dry methods that do not pay, so that it has to fail.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
if (process.argv.includes('--hostile')) {
  const { measureHostile } = await import('./fuzz-hostile.mjs');
  process.exit((await measureHostile()) ? 0 : 1);
}
const { default: fc } = await import('fast-check');
const oracle = join(root, 'dist/test/mapping-oracle');
const { compareAll, compileAny } = await import(`${oracle}/agreement.js`);
const { anyText } = await import(`${oracle}/any-text.js`);
const { anyDocument } = await import(`${oracle}/any-document.js`);
const { anyProgram } = await import(`${oracle}/any-program.js`);

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const firstSeed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const end = performance.now() + Number(values.minutes) * 60_000;
const counts = { agreed: 0, refused: 0, texts: 0, disagreements: 0 };
const fuel = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.nat(60));
const batch = 2_000;
let slowest = 0;

console.log(`first seed ${firstSeed}`);
for (let seed = firstSeed; performance.now() < end; seed += 1) {
  report(
    seed,
    fc.check(
      fc.property(anyProgram, anyDocument, fuel, (template, input, steps) => {
        const begin = performance.now();
        const compared = compareAll(template, input, steps);
        slowest = Math.max(slowest, performance.now() - begin);
        if (typeof compared === 'string') counts[compared] += 1;
        else throw new Error(JSON.stringify(compared.outcomes, null, 2));
      }),
      { numRuns: batch, seed },
    ),
  );
  report(
    seed,
    fc.check(
      fc.property(anyText, anyDocument, (text, input) => {
        compileAny(text, input);
        counts.texts += 1;
      }),
      { numRuns: batch, seed },
    ),
  );
}
console.log(
  `seeds ${firstSeed} on: ${counts.agreed} programs agreed, ${counts.refused} were refused when compiled, ${counts.texts} texts compiled or were refused, ${counts.disagreements} failures; the slowest program took ${Math.round(slowest)} ms`,
);
process.exitCode = counts.disagreements > 0 ? 1 : 0;

function report(seed, result) {
  if (!result.failed) return;
  counts.disagreements += 1;
  const [template, ...rest] = result.counterexample;
  console.log(`\nseed ${seed}, path ${result.counterexamplePath}\n${template}`);
  console.log(...rest);
  console.log(String(result.errorInstance?.stack ?? '').slice(0, 1500));
}
