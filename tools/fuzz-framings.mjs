// npm run fuzz -- framings [--count 10000] [--seed 1] [--only 1234] [--front alone|nginx|haproxy]: oddly framed requests on reused connections
// to a service of its own, alone and behind the proxies that are installed. Ends with 1 where a request was handled that nobody had sent.
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    front: { type: 'string', multiple: true },
  },
});
const { fronts, isMissing, smuggle } = await import(
  join(root, 'dist/test/attack/smuggling/smuggle.js')
);
const { TestServices } = await import(join(root, 'dist/test/harness/services/services.js'));
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const some = values.only === undefined ? undefined : { first: Number(values.only), count: 1 };

console.log(`seed ${seed}`);
const services = new TestServices(); // The database.
await services.listen();
try {
  for (const front of values.front ?? fronts) {
    if (isMissing(front)) {
      console.log(`${front}: skipped, because it is not installed (apt-get install ${front})`);
      continue;
    }
    const plan = { seed, count: Number(values.count), ...some };
    const { faults, handled } = await smuggle(front, plan);
    for (const fault of faults.slice(0, 25)) console.log(`${front}: ${fault}`);
    console.log(
      `${front}: ${plan.count} odd requests, of which ${handled.odd} were handled, and ${handled.next} of those behind them, and ${handled.bystander} of other clients; ${faults.length} faults`,
    );
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  await services.stop();
}
