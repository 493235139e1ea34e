// npm run figures [-- FOLDER …]: measures what docs/providers/README.md says of each provider, and writes docs/providers/figures.json and the page.
// The variation changes every value of every answer of the fake and of others, which takes minutes for all folders: without names it measures those whose
// documents have changed. What others recorded is read where it lies beside the checkout; elsewhere those figures stay.
//   --all     measures all folders
//   --foreign measures only over what others recorded, of the folders that are named, or of all
//   --check   only says which folders have changed since
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { buildIfChanged } from './build-if-changed.mjs';
import { root, run } from './install.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, check: { type: 'boolean' }, foreign: { type: 'boolean' } },
});
if (!values.check) buildIfChanged('test');
const { hashInputs, measureVariation, sumVaried } =
  await import('../dist/apps/provider-kit/src/figures.js');
const { providerFolders } = await import('../dist/apps/provider-kit/src/folders.js');

Logger.overrideLogger(false); // The service would log each changed answer.
const target = join(root, 'docs/providers/figures.json');
const figures = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : {};
const folders = providerFolders().filter(({ isMadeUp }) => !isMadeUp);
const changed = folders.filter((folder) => figures[folder.name]?.inputs !== hashInputs(folder));
if (values.check) {
  for (const { name } of changed)
    console.error(`docs/providers/figures.json is older than ${name}: npm run figures -- ${name}`);
  process.exit(changed.length > 0 ? 1 : 0);
}
const unknown = positionals.filter((name) => !folders.some((folder) => folder.name === name));
if (unknown.length > 0) {
  console.error(`libs/providers has no ${unknown.join(', ')}`);
  process.exit(2);
}
const named = folders.filter(({ name }) => positionals.includes(name));
const isWhole = values.all || (values.foreign && positionals.length === 0);
for (const folder of isWhole ? folders : positionals.length > 0 ? named : changed) {
  console.log(folder.name);
  const known = figures[folder.name];
  const inputs = values.foreign ? known?.inputs : hashInputs(folder);
  const variation = values.foreign
    ? Object.fromEntries(
        Object.entries(known?.providers ?? {}).map(([id, one]) => [id, one.variation]),
      )
    : await measureVariation(folder, (line) => console.log(`  fault: ${line}`));
  const foreign = await measureForeign(folder.name);
  const ids = [...new Set([...Object.keys(variation), ...Object.keys(foreign)])].sort();
  const providers = Object.fromEntries(
    ids.map((id) => [id, { variation: variation[id], ...foreign[id] }]),
  );
  figures[folder.name] = { inputs, providers };
  const measured = folders.map(({ name }) => name).filter((name) => name in figures);
  const sorted = Object.fromEntries(measured.map((name) => [name, figures[name]]));
  writeFileSync(target, `${JSON.stringify(sorted, null, 2)}\n`);
}
run(process.execPath, [join(root, 'tools/provider-list.mjs')]);

/** Measures over what others recorded, by the id of the provider; what was measured before, where nothing is at hand. */
async function measureForeign(folder) {
  const { whyNoExchanges } = await import('../dist/test/foreign/exchanges.js');
  if (whyNoExchanges !== undefined) {
    console.log(`  ${whyNoExchanges}: their figures stay`);
    const known = Object.entries(figures[folder]?.providers ?? {});
    return Object.fromEntries(
      known.map(([id, { foreign, foreign_variation }]) => [id, { foreign, foreign_variation }]),
    );
  }
  const { loadValidators } = await import('#contract');
  const { readTables } = await import('../dist/test/foreign/table.js');
  const { runList } = await import('../dist/test/foreign/run-list.js');
  const { varyList } = await import('../dist/test/foreign/vary-list.js');
  const { sumUp } = await import('../dist/test/foreign/figures.js');
  const { TestAuthority } = await import('../dist/test/harness/certificates.js');
  await loadValidators();
  const authority = new TestAuthority();
  const certificate = authority.issue('vendor.example');
  const measured = {};
  for (const table of readTables().filter((one) => one.folder === folder)) {
    const ran = [];
    const varied = [];
    for (const list of table.lists) {
      ran.push({ list, result: await runList(table, list, certificate) });
      varied.push(await varyList(table, list, certificate));
    }
    measured[table.provider] = {
      foreign: sumUp(ran),
      foreign_variation: sumVaried(varied, (line) => console.log(`  fault: ${line}`)),
    };
  }
  authority.remove();
  return measured;
}
