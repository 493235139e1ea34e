// npm run fuzz -- texts [--minutes 10] [--seed 1] [--bytes 1000000]: every text of every operation, as long as it may be, in each of the shapes that make
// careless code slow, one after the other. Prints texts that take longer than they are long, and how long the calls of a bystander took meanwhile. Ends
// with 1 where there is such a text, or where the 99th percentile of the bystander is above 250 ms.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    bytes: { type: 'string', default: '1000000' },
  },
});
const maxBystanderMs = 250;
const maxDoubling = 2.3;
const { sendLongTexts } = await import(join(root, 'dist/test/attack/send-long-texts.js'));
const { startEmbedded } = await import(join(root, 'dist/test/e2e/onefold.js'));
const onefold = await startEmbedded({ PROXY_HOPS: '1' });
try {
  const end = performance.now() + Number(values.minutes) * 60_000;
  const { sent, all, faults, slowest, maxMs, bystander } = await sendLongTexts(onefold, {
    seed: Number(values.seed),
    maxBytes: Number(values.bytes),
    maxDoubling,
    allDomains: true,
    goesOn: () => performance.now() < end,
  });
  for (const fault of faults) console.log(fault);
  console.log(`the most processor time: ${maxMs} ms, ${slowest}`);
  const { calls, median, p99, max } = bystander;
  const times = [median, p99, max].map(Math.round);
  console.log(
    `a bystander's ${calls} calls: median ${times[0]} ms, 99th percentile ${times[1]} ms, ${times[2]} ms at most`,
  );
  console.log(`${sent} of ${all} texts sent, ${faults.length} faults`);
  process.exitCode = faults.length === 0 && p99 <= maxBystanderMs ? 0 : 1;
} finally {
  await onefold.stop();
}
