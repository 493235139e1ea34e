// Lets the vendors' own clients read the fakes over sockets, compares what they read with our records, and records their requests. Clients of
// stores of objects and our documents read what the other has written to a receiver that verifies signatures.
//   npm run witness [-- TYPE ...]
// The clients are installed in test/witness, because they take 540 MB that neither the product nor the tests need.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from './install.mjs';

const folder = join(root, 'test/witness');
if (!existsSync(join(folder, 'node_modules'))) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
const { compareCall, openSocketMock, textsOf } = await import('../dist/test/fakes/witness.js');
const { loadValidators } = await import('#contract');
const { callsOf, clients } = await import('../test/witness/calls.mjs');
const { compareStore, stores } = await import('../test/witness/stores.mjs');
await loadValidators();
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const wanted = process.argv.slice(2);
let failed = false;
for (const [type, callClient] of Object.entries(callsOf)) {
  if (wanted.length > 0 && !wanted.includes(type)) continue;
  const { over, url, credentials, exchanges, close } = await openSocketMock(type);
  /** @type {string[]} */
  const faults = [];
  /** @type {any[]} */
  let calls = [];
  try {
    const sent = () => textsOf(over.fake.log.requests);
    calls = await callClient({ url, credentials, sent });
    const recorded = exchanges.splice(0);
    for (const call of calls) faults.push(...(await compareCall(over, call)));
    const violations = over.fake.log.violations.map((one) => JSON.stringify(one));
    faults.push(...violations);
    const client = clients[type].map((name) => `${name} ${dependencies[name]}`).join(', ');
    const [date] = new Date().toISOString().split('T');
    const record = { client, date, at: over.start.toISOString(), calls, exchanges: recorded };
    const file = join(folder, 'records', `${type}.json`);
    if (faults.length === 0)
      writeFileSync(
        file,
        await format(JSON.stringify(record), { ...(await resolveConfig(file)), parser: 'json' }),
      );
  } catch (error) {
    faults.push(error.stack ?? String(error));
  }
  await close();
  const read = calls.map(({ operation, read }) => `${operation} ${read.length}`).join(', ');
  console.log(`${type}: ${faults.length === 0 ? read : faults.join('\n  ')}`);
  failed ||= faults.length > 0;
}
for (const type of Object.keys(stores)) {
  if (wanted.length > 0 && !wanted.includes(type)) continue;
  const { faults, compared } = await compareStore(type);
  console.log(`${type}: ${faults.length === 0 ? `${compared} comparisons` : faults.join('\n  ')}`);
  failed ||= faults.length > 0;
}
process.exit(failed ? 1 : 0);
