// Writes what is generated of the deployment: the users of NATS, the connectors of docker-compose.yml, and deploy/kubernetes. Needs a build.
//   node tools/deploy.mjs                      writes the files, and removes those that are no longer written
//   node tools/deploy.mjs --check              fails where they differ
//   node tools/deploy.mjs --render FOLDER      writes the manifests of each overlay, by kubectl 1.27 or newer: FOLDER/small.yaml ...
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { composeWithConnectors } from './deploy/compose.mjs';
import { kubernetesFiles } from './deploy/kubernetes.mjs';
import { overlays, renderOverlay, whyNotRendered } from './deploy/render.mjs';
import { root } from './install.mjs';

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, render: { type: 'string' } },
});
const kubernetes = 'deploy/kubernetes';
if (values.render === undefined) writeOrCheck();
else render(values.render);

function writeOrCheck() {
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const files = new Map([['docker-compose.yml', composeWithConnectors(compose)]]);
  for (const [file, text] of Object.entries(kubernetesFiles()))
    files.set(`${kubernetes}/${file}`, text);
  const different = [...files].filter(([file, text]) => readText(file) !== text);
  const left = filesBelow(kubernetes).filter((file) => !files.has(file) && isWritten(file));
  if (!values.check) {
    for (const [file, text] of different) write(join(root, file), text);
    for (const file of left) rmSync(join(root, file));
    return;
  }
  for (const [file] of different) console.error(`${file} is not what tools/deploy.mjs writes.`);
  for (const file of left) console.error(`${file} is not written by tools/deploy.mjs.`);
  if (different.length + left.length === 0) return;
  console.error('Run node tools/deploy.mjs and commit what it changes.');
  process.exitCode = 1;
}

function render(folder) {
  const reason = whyNotRendered();
  if (reason !== undefined) {
    console.error(reason);
    process.exitCode = 1;
    return;
  }
  for (const name of overlays) write(join(folder, `${name}.yaml`), renderOverlay(name));
}

function readText(file) {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** True for a file that says of itself that this tool writes it: others beside them are written by hand. */
function isWritten(file) {
  return readText(file)?.startsWith('# Written by node tools/deploy.mjs') === true;
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
