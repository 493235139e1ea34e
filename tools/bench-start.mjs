// npm run bench -- start: what start to first answer costs with 5 and with 200 provider documents, in turns over one database. Read the
// processor time: it counts no waiting. What it printed last stands in docs/performance.md.
//   npm run bench -- start --rounds 9
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument } from 'yaml';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { firstMatch } from './first-match.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' } },
  strict: false, // npm run bench has options of its own
});
const rounds = Number(values.rounds);
const maxWaitMs = 180_000; // A bench waits for a busy machine.
/** Folders that are left when there are few: those for tickets, beside the mock that is called, which is code. */
const few = ['redmine', 'jira', 'linear', 'github', 'pagerduty'];
const ticksPerSecond = 100; // Clock ticks per second in /proc, on every Linux.
const { writeManifests } = await import('../libs/providers/manifests.mjs');
const { startNode } = await import(`${root}/dist/test/e2e/processes.js`);
const { startEmbeddedPostgres } = await import(`${root}/dist/libs/embedded/src/index.js`);

const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-start-'));
chmodSync(folder, 0o711);
const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
try {
  /** @type {{ documents: number, path: string, runs: Awaited<ReturnType<typeof firstAnswer>>[] }[]} */
  const products = [5, 200].map((documents) => ({ documents, path: product(documents), runs: [] }));
  await firstAnswer(products[0].path); // Migrates the database, and fills the cache of the file system.
  for (let round = 0; round < rounds; round += 1)
    for (const one of round % 2 === 0 ? products : products.toReversed())
      one.runs.push(await firstAnswer(one.path));
  const medians = products.map(({ runs }) => ({
    cpu: median(runs.map(({ cpu }) => cpu)),
    wall: median(runs.map(({ wall }) => wall)),
    memory: median(runs.map(({ memory }) => memory)),
  }));
  for (const [index, { documents, runs }] of products.entries()) {
    const { cpu, wall, memory } = medians[index];
    const all = runs.map((run) => run.cpu.toFixed(2)).join(' ');
    console.log(
      `${documents} documents: ${cpu.toFixed(2)} s of processor, ${wall.toFixed(2)} s, ${memory} MB (processor of each: ${all})`,
    );
  }
  const [few, many] = medians;
  const percent = (many.cpu / few.cpu - 1) * 100;
  console.log(
    `start to first answer, medians of ${rounds}: ${percent.toFixed(1)} % more processor time`,
  );
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Copies the built product, with this number of provider documents: few of its own, or all of them and copies under other ids. */
function product(documents) {
  const path = join(folder, String(documents));
  cpSync(join(root, 'dist/run'), join(path, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(path, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  const providers = join(path, 'dist/libs/providers');
  const own = readdirSync(providers).filter((name) =>
    existsSync(join(providers, name, 'provider.yaml')),
  );
  if (documents < own.length)
    for (const name of own)
      if (!few.includes(name)) rmSync(join(providers, name), { recursive: true });
  const real = own.filter((name) => !name.startsWith('mock-'));
  for (let index = own.length; index < documents; index += 1) {
    const copy = join(providers, `copy-${index}`);
    cpSync(join(providers, real[index % real.length]), copy, { recursive: true });
    const file = join(copy, 'provider.yaml');
    const document = parseDocument(readFileSync(file, 'utf8'));
    const entries = /** @type {any} */ (document.get('providers'));
    const ids = entries?.items.map(({ key }) => key) ?? [document.get('provider', true)];
    for (const id of ids) id.value = `${id.value}_copy_${index}`;
    writeFileSync(file, String(document));
  }
  writeManifests(providers);
  const written = JSON.parse(readFileSync(join(providers, 'manifests.json'), 'utf8')).length;
  if (written !== documents) throw new Error(`${written} documents were written, not ${documents}`);
  return path;
}

/** Starts it, and reads a ticket of the mock. @returns seconds, and megabytes after the answer */
async function firstAnswer(path) {
  const data = join(folder, 'data');
  const begun = performance.now();
  const standalone = startNode([join(path, 'dist/apps/standalone/src/main.js'), '--port', '0'], {
    DATABASE_URL: database.url,
    DATA_FOLDER: data,
  });
  const [, url] = await standalone.says(/^Address: (\S+)$/m, maxWaitMs);
  const token = await integrationToken(standalone);
  const answer = await fetch(`${url}/v1/ticketing/tickets?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  await answer.arrayBuffer();
  const wall = (performance.now() - begun) / 1000;
  const cpu = processorSeconds(standalone.child.pid);
  const memory = residentMegabytes(standalone.child.pid);
  await standalone.stop();
  return { cpu, wall, memory };
}

/** Printed at the first start only. */
async function integrationToken(standalone) {
  const file = join(folder, 'token');
  const [, printed] = /^Integration token: (\S+)$/m.exec(standalone.output()) ?? [];
  if (printed !== undefined) writeFileSync(file, printed);
  return readFileSync(file, 'utf8');
}

function processorSeconds(pid) {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function residentMegabytes(pid) {
  return Math.round(
    Number(firstMatch(/VmRSS:\s+(\d+)/, readFileSync(`/proc/${pid}/status`, 'utf8'))) / 1024,
  );
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
