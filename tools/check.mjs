// Checks what every commit passes: format, lint, types, boundaries, generated files, all specs.
//   npm run check -- --no-tests     without the specs, which .ci/run runs by the README's command
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { installMissing, root, run } from './install.mjs';

installMissing();
run(process.execPath, ['tools/build.mjs']);
/** The mapping documents of providers. */
const mappings = readdirSync('libs/providers', { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[^/]+\/mappings\/[^/]+\.yaml$/.test(name))
  .map((name) => `libs/providers/${name}`);
const bin = (name) => `node_modules/.bin/${name}`;
const tool = (name, ...args) => [process.execPath, [`tools/${name}.mjs`, ...args]];
// The longest ones first, so that none of them runs alone at the end.
await runAtOnce([
  [
    bin('eslint'),
    ['.', '--max-warnings=0', '--cache', '--cache-location=.cache/eslint/', '--color'],
  ],
  [bin('prettier'), ['--check', '--log-level=warn', '.']],
  [bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'test']],
  tool('check-words'),
  tool('console-budgets'),
  tool('unused-dependencies'),
  tool('check-patterns'),
  tool('check-tools'),
  tool('configuration-reference', '--check'),
  tool('image-imports', '--check'),
  tool('dependency-reference', '--check'),
  tool('deploy', '--check'),
  tool('limits-reference', '--check'),
  tool('mapping-reference', '--check'),
  tool('mapping', 'fmt', '--check', ...mappings),
  tool('mapping', 'check', ...mappings),
  tool('ocsf-reference', '--check'),
  tool('provider-reference', '--check'),
  tool('request-reference', '--check'),
  tool('provider-list', '--check'),
  tool('idempotency-table', '--check'),
  tool('fake-reference', '--check'),
  tool('provider-coverage', '--check'),
]);
const paths = process.argv.slice(2);
if (!paths.includes('--no-tests')) run(process.execPath, ['tools/test.mjs', ...paths]);

/** Runs each part, as many at once as there are cores, and shows the output of each when it ends. Exits with 1 after the last one if any failed. */
async function runAtOnce(parts) {
  const waiting = [...parts];
  let failed = 0;
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift())
      if (!(await succeeds(...part))) failed += 1;
  });
  await Promise.all(workers);
  if (failed > 0) process.exit(1);
}

function succeeds(command, args) {
  return new Promise((settle, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => output.push(chunk));
    child.on('error', fail).on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      if (code !== 0)
        console.error(`${[command, ...args].join(' ').slice(0, 200)} failed (${code})`);
      settle(code === 0);
    });
  });
}
