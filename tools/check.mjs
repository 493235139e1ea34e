// Checks what every commit passes: format, lint, types, boundaries, generated files, all specs.
//   npm run check -- --no-tests     without the specs, which .ci/run runs by the README's command
import { readdirSync } from 'node:fs';
import { installMissing, run } from './install.mjs';

installMissing();
/** The mapping documents of providers. */
const mappings = () =>
  readdirSync('libs/providers', { recursive: true })
    .filter((name) => /^[^/]+\/mappings\/[^/]+\.yaml$/.test(name))
    .map((name) => `libs/providers/${name}`);
const bin = (name) => `node_modules/.bin/${name}`;
run(bin('prettier'), ['--check', '--log-level=warn', '.']);
run(process.execPath, ['tools/build.mjs']);
run(bin('eslint'), ['.', '--max-warnings=0', '--cache', '--cache-location=.cache/eslint/']);
run(process.execPath, ['tools/console-budgets.mjs']);
run(process.execPath, ['tools/unused-dependencies.mjs']);
run(process.execPath, ['tools/check-patterns.mjs']);
run(process.execPath, ['tools/configuration-reference.mjs', '--check']);
run(process.execPath, ['tools/image-imports.mjs', '--check']);
run(process.execPath, ['tools/dependency-reference.mjs', '--check']);
run(process.execPath, ['tools/deploy.mjs', '--check']);
run(process.execPath, ['tools/limits-reference.mjs', '--check']);
run(process.execPath, ['tools/mapping-reference.mjs', '--check']);
run(process.execPath, ['tools/mapping.mjs', 'fmt', '--check', ...mappings()]);
run(process.execPath, ['tools/mapping.mjs', 'check', ...mappings()]);
run(process.execPath, ['tools/ocsf-reference.mjs', '--check']);
run(process.execPath, ['tools/provider-reference.mjs', '--check']);
run(process.execPath, ['tools/request-reference.mjs', '--check']);
run(process.execPath, ['tools/provider-list.mjs', '--check']);
run(process.execPath, ['tools/fake-reference.mjs', '--check']);
run(process.execPath, ['tools/provider-coverage.mjs', '--check']);
run(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'test']);
const paths = process.argv.slice(2);
if (!paths.includes('--no-tests')) run(process.execPath, ['tools/test.mjs', ...paths]);
