// Writes what is generated of the deployment: the users of NATS, the connectors of docker-compose.yml, and deploy/kubernetes.
//   node tools/deploy.mjs [--check]      needs a build; where kubectl 1.27 or newer is, also renders the overlays
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { composeWithConnectors } from './deploy/compose.mjs';
import { kubernetesFiles } from './deploy/kubernetes.mjs';
import { canRender, renderOverlay, overlays } from './deploy/render.mjs';
import { root } from './install.mjs';

const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const kubernetes = Object.entries(kubernetesFiles()).map(([file, text]) => [
  `deploy/kubernetes/${file}`,
  text,
]);
const isCheck = process.argv.includes('--check');
const wrong = update([['docker-compose.yml', composeWithConnectors(compose)], ...kubernetes]);
// Rendered from what was just written.
if (canRender())
  wrong.push(
    ...update(
      overlays.map((name) => [`deploy/kubernetes/rendered/${name}.yaml`, renderOverlay(name)]),
    ),
  );
else console.log('No kubectl 1.27 or newer: the rendered manifests were not compared.');
if (isCheck && wrong.length > 0) {
  for (const file of wrong) console.error(`${file} is not what tools/deploy.mjs writes.`);
  console.error('Run node tools/deploy.mjs and commit what it writes.');
  process.exit(1);
}

/** Writes the files that differ, unless this is a check. @returns their names */
function update(files) {
  const different = files.filter(([file, text]) => {
    const path = join(root, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  if (!isCheck)
    for (const [file, text] of different) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  return different.map(([file]) => file);
}
