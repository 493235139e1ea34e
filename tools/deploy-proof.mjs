// Proves the deployment with real containers. It builds the image, starts docker-compose.yml, kills each container under load, replaces every
// process by one of the previous commit's image and back under load, and plays the rendered manifests of Kubernetes:
//   CONTAINERS_UP=PLACE npm run proof -- deploy --minutes 10 --previous HEAD~1
// PLACE is a folder with two programs, `build ARGUMENTS OF docker build` and `compose FILE ARGUMENTS OF docker compose`, and with
// containers.conf and registries.conf of podman; or a script that makes such a folder: `SCRIPT FOLDER`. `--steps compose,upgrade` runs some of
// the steps: build, compose, upgrade, kubernetes; `--overlays per-team` plays some of the overlays alone. Not part of npm test, because it
// needs root and takes half an hour. It removes the containers and volumes of the project `onefold` before and after.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { firstMatch } from './first-match.mjs';
import { installMissing, root } from './install.mjs';

const place = process.env.CONTAINERS_UP;
if (place === undefined) {
  console.error(
    'Say where the container commands are: CONTAINERS_UP=PLACE npm run proof -- deploy',
  );
  process.exit(2);
}
installMissing();
buildIfChanged();
// These need packages and what was built, so they are loaded when both are there.
const { baseImage, makeBaseImage } = await import('./deploy-proof/base-image.mjs');
const { runOnce, startService } = await import('./deploy-proof/compose-service.mjs');
const { openContainers } = await import('./deploy-proof/containers.mjs');
const { killEach } = await import('./deploy-proof/kill-each.mjs');
const { playManifests } = await import('./deploy-proof/play-manifests.mjs');
const { previousSources } = await import('./upgrade/previous-version.mjs');
const { rollUnderLoad } = await import('./upgrade/roll.mjs');
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    previous: { type: 'string', default: 'HEAD~1' },
    steps: { type: 'string', default: 'build,compose,upgrade,kubernetes' },
    overlays: {
      type: 'string',
      default: 'small,per-domain,small-with-telemetry,small-with-nats-cluster,per-team',
    },
  },
});
const steps = { build, compose: tryCompose, upgrade, kubernetes };
const chosen = values.steps.split(',');
const unknown = chosen.find((name) => !(name in steps));
if (unknown !== undefined) {
  console.error(`There is no step "${unknown}". The steps are ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}
const images = {
  current: 'docker.io/library/onefold',
  previous: 'docker.io/library/onefold-previous',
};
const started = Date.now();
const containers = await openContainers(place);
const { podman, compose } = containers;
const previous = previousSources(values.previous);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const load = () => `load ${loadavg()[0].toFixed(0)} on ${cpus().length} cores`;
say(
  `${new Date().toISOString()}: from ${previous.commit} to ${git('rev-parse', '--short', 'HEAD')}, ${load()}`,
);

for (const name of chosen) await steps[name]();
say(`done, ${load()}`);

async function build() {
  await makeBaseImage(containers);
  await buildImage(root, images.current);
  const size = Number(await podman('image', 'inspect', '--format', '{{.Size}}', images.current));
  const base = Number(await podman('image', 'inspect', '--format', '{{.Size}}', baseImage()));
  say(`the image is built: ${megabytes(size)} (its base has ${megabytes(base)})`);
  // A source that every process has, so that each layer behind it is made anew.
  const edited = join(root, 'libs/bus/src/subjects.ts');
  const source = readFileSync(edited, 'utf8');
  try {
    writeFileSync(edited, `${source}export const editedAt = '${new Date().toISOString()}';\n`);
    const begin = Date.now();
    const worked = await buildImage(root, images.current);
    const took = Math.round((Date.now() - begin) / 1000);
    say(
      `after an edit it is built again in ${took} s with ${Math.round(worked)} s of processor time, ${load()}`,
    );
  } finally {
    writeFileSync(edited, source);
  }
  await buildImage(root, images.current);
  await buildPrevious();
  say(`the image of ${previous.commit} is built`);
}

async function buildImage(folder, name, dockerfile = 'deploy/Dockerfile') {
  return await containers.build(folder, '-t', name, '-f', dockerfile);
}

/** Builds the image of the previous version with a cache of the compiler of its own, as on another machine. */
async function buildPrevious() {
  const text = readFileSync(join(previous.folder, 'deploy/Dockerfile'), 'utf8');
  const file = join(previous.folder, '.cache/Dockerfile');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.replaceAll('--mount=type=cache,', '--mount=type=cache,id=previous,'));
  await buildImage(previous.folder, images.previous, file);
}

async function tryCompose() {
  try {
    await compose('down', '-v');
    await compose('up', '-d', '--no-build');
    say('docker-compose.yml: everything is healthy');
    const token = firstMatch(/ofo_\S+/, await compose('run', '--rm', 'admin', 'token'));
    const smoke = async () =>
      firstMatch(/\d+ of \d+ domains answered/, await compose('run', '--rm', 'smoke', token));
    say(await smoke());
    await killEach({ containers, token, smoke, say });
  } finally {
    await compose('down', '-v');
  }
}

/** NATS, PostgreSQL and the key are those of docker-compose.yml; the processes are started one by one. */
async function upgrade() {
  let number = 0;
  const admin = (version, ...args) =>
    runOnce(containers, images[version], 'migrate', ['dist/apps/admin/src/main.js', ...args]);
  try {
    await compose('down', '-v');
    await compose('up', '-d', '--no-build', 'nats', 'postgres', 'key');
    await compose(
      'exec',
      '-T',
      'postgres',
      'timeout',
      '120',
      'sh',
      '-c',
      'until pg_isready -q -h 127.0.0.1 -d onefold; do sleep 0.2; done',
    );
    await admin('previous', 'migrate');
    const report = await rollUnderLoad({
      installation: {
        start: (app, version) =>
          startService(
            containers,
            images[version],
            app,
            `onefold-proof-${app}-${version}-${(number += 1)}`,
          ),
        migrate: () => admin('current', 'migrate'),
      },
      token: async () => firstMatch(/ofo_\S+/, await admin('previous', 'token')),
      minutes: Number(values.minutes),
      say,
    });
    const counts = Object.entries(report.counts).map(([kind, count]) => `${count} of ${kind}`);
    say(
      `${counts.join(', ')}; ${report.failed} failed; the longest call took ${report.slowest.ms} ms (${report.slowest.call})`,
    );
    if (report.failed > 0) process.exitCode = 1;
  } finally {
    await compose('down', '-v');
  }
}

async function kubernetes() {
  for (const overlay of values.overlays.split(','))
    say(`the overlay ${overlay}: ${await playManifests({ containers, overlay })}`);
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}

function say(text) {
  console.log(`${Math.round((Date.now() - started) / 1000)} s: ${text}`);
}
