// npm run -s pack -- agent: makes the package of the bridge agent, onefold-bridge-agent-VERSION.tgz, for a customer's administrator.
// `npx ./onefold-bridge-agent-VERSION.tgz bridge-agent.yaml` runs it; it needs Node alone.
//   --to FOLDER     where the package is written; the folder of the caller when absent
//   --built         packs what is built, for tests: a build would empty the folder that they run from
// The program is one file with all that it imports, and is not minified, so that an administrator can read what they run.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { own, packFolder, writeManifest } from './pack-folder.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' }, built: { type: 'boolean' } } });
const program = 'bridge-agent.js';
/** Modules in C that ws would use if they were installed. */
const neverInstalled = ['bufferutil', 'utf-8-validate'];

if (!values.built) {
  installMissing();
  buildIfChanged();
}
await packFolder(values.to, async (folder) => {
  const modules = await bundle(join(folder, program));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licensesOf(modules));
  copyFileSync(join(root, 'docs/bridges.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { version, license, type, engines } = own;
  writeManifest(folder, {
    name: 'onefold-bridge-agent',
    version,
    description: 'Lets Onefold reach systems inside a network, by an allow-list.',
    license,
    type,
    engines,
    bin: { 'onefold-bridge-agent': program },
  });
});

/** Writes the program and all that it imports into one file. @returns the files that are in it */
async function bundle(file) {
  const build = await rolldown({
    input: join(root, 'dist/apps/bridge-agent/src/main.js'),
    cwd: root,
    platform: 'node',
    external: neverInstalled,
    onLog: (_level, { message }) => {
      throw new Error(`bridge-agent.js cannot be bundled: ${message}`);
    },
  });
  const { output } = await build.write({
    file,
    format: 'esm',
    codeSplitting: false,
    comments: { legal: true },
    banner: '#!/usr/bin/env node',
  });
  await build.close();
  const [chunk] = output;
  const outside = chunk.imports.filter((name) => !name.startsWith('node:'));
  if (output.length > 1 || outside.length > 0)
    throw new Error(`bridge-agent.js is not one file that needs Node alone: ${outside.join(', ')}`);
  return chunk.moduleIds;
}

/** The licenses of the packages whose files these are. */
function licensesOf(files) {
  const folders = new Set(
    files.map((file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      const text = readdirSync(folder).find((one) => /^(?:licen[cs]e)/i.test(one));
      const terms = text === undefined ? license : readFileSync(join(folder, text), 'utf8').trim();
      return `${name} ${version}\n\n${terms}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
