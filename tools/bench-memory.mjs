// npm run bench -- memory: the resident memory of a connector that has all fakes and uses none, against one without a fake, in turns.
//   npm run bench -- memory --rounds 5
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { firstMatch } from './first-match.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const maxWaitMs = 180_000; // A bench waits for a busy machine.
const maxMoreMegabytes = 5;
/** After the start, until memory that only the start needed is given back. */
const idleMs = 5_000;

const { writeManifests } = await import('../libs/providers/manifests.mjs');
const { startNode } = await import(`${root}/dist/test/e2e/processes.js`);
const { admin } = await import(`${root}/dist/test/e2e/onefold.js`);
const { startNats } = await import(`${root}/dist/test/harness/nats/nats.js`);
const { startEmbeddedPostgres } = await import(`${root}/dist/libs/embedded/src/index.js`);

const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-memory-'));
chmodSync(folder, 0o711);
const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
const nats = await startNats();
try {
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    OBSERVE_PORT: '0',
    KEY_FILE: join(folder, 'key'),
  };
  await admin(env, 'key');
  await admin(env, 'migrate');
  /** @type {{ name: string, path: string, runs: number[] }[]} */
  const products = [
    { name: 'without fakes', path: product('without', true), runs: [] },
    { name: 'with all fakes', path: product('with', false), runs: [] },
  ];
  for (let round = 0; round < rounds; round += 1)
    for (const one of round % 2 === 0 ? products : products.toReversed())
      one.runs.push(await idleMegabytes(one.path, env));
  for (const { name, runs } of products)
    console.log(
      `${name}: ${median(runs).toFixed(1)} MB (${runs.map((run) => run.toFixed(1)).join(' ')})`,
    );
  const [without, with_] = products.map(({ runs }) => median(runs));
  const more = with_ - without;
  console.log(
    `a connector with all fakes, unused: ${more.toFixed(1)} MB more (at most ${maxMoreMegabytes})`,
  );
  process.exitCode = more > maxMoreMegabytes ? 1 : 0;
} finally {
  await nats.stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Copies the built product. */
function product(name, dropsFakes) {
  const path = join(folder, name);
  cpSync(join(root, 'dist/run'), join(path, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(path, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  const providers = join(path, 'dist/libs/providers');
  if (dropsFakes) {
    for (const entry of readdirSync(providers, { withFileTypes: true }))
      if (entry.isDirectory()) rmSync(join(providers, entry.name, 'fake.yaml'), { force: true });
    writeManifests(providers);
  }
  return path;
}

async function idleMegabytes(path, env) {
  const connector = startNode([join(path, 'dist/apps/connector/src/main.js')], env);
  await connector.says(/"message":"ready"/, maxWaitMs);
  await sleep(idleMs);
  const status = readFileSync(`/proc/${connector.child.pid}/status`, 'utf8');
  await connector.stop();
  return Number(firstMatch(/VmRSS:\s+(\d+)/, status)) / 1024;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
