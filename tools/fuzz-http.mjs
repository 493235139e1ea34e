// npm run fuzz -- http [--minutes 10] [--seed 1] [--only 1234] [--form embedded|distributed]: malformed requests, made from the
// contract, against a service of its own. A failure is printed with its number and a curl that repeats it; CONTRIBUTING.md says how to go on.
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    only: { type: 'string' },
    form: { type: 'string', default: 'embedded' },
  },
});
const { fuzz } = await import(join(root, 'dist/test/attack/fuzz.js'));
const { TestServices } = await import(join(root, 'dist/test/harness/services/services.js'));
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
let end; // From the first request on.
const isInTime = () =>
  performance.now() < (end ??= performance.now() + Number(values.minutes) * 60_000);
const only = values.only === undefined ? undefined : Number(values.only);
const plan =
  only === undefined
    ? { seed, goesOn: isInTime }
    : { seed, first: only, goesOn: (index) => index === only };

console.log(`seed ${seed}`);
const services = new TestServices(); // The database of the distributed form.
await services.listen();
try {
  const { isWell, report } = await fuzz(values.form, plan);
  console.log(report);
  process.exitCode = isWell ? 0 : 1;
} finally {
  await services.stop();
}
