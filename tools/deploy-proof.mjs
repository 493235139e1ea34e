// Proves the deployment with real containers, as far as it goes today: builds the image, starts docker-compose.yml, calls every domain,
// and calls every domain again after each service was killed:
//   CONTAINERS_UP=FOLDER npm run deploy:proof
// FOLDER has two programs: `build ARGUMENTS OF docker build` and `compose FILE ARGUMENTS OF docker compose`. Not part of npm test, because it
// needs root and takes minutes. It removes the containers and volumes of the project `onefold` before and after.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';

const folder = process.env.CONTAINERS_UP;
if (folder === undefined) {
  console.error('Say where the container commands are: CONTAINERS_UP=FOLDER npm run deploy:proof');
  process.exit(2);
}
const services = ['management', 'connector', 'operations', 'gateway', 'nats', 'postgres'];
const started = Date.now();

try {
  run(
    'build',
    '--format',
    'docker',
    '-q',
    '-t',
    'docker.io/library/onefold',
    '-f',
    'deploy/Dockerfile',
    '.',
  );
  say('the image is built');
  compose('down', '-v');
  compose('up', '-d', '--no-build');
  say('everything is healthy');
  const token = /ofo_\S+/.exec(compose('run', '--rm', 'admin', 'token'))?.[0];
  if (token === undefined) throw new Error('admin token printed no token');
  say(smoke(token));
  for (const service of services) {
    compose('kill', '-s', 'SIGKILL', service);
    compose('up', '-d', '--no-build');
    say(`${service} was killed and is back: ${smoke(token)}`);
  }
} finally {
  compose('down', '-v');
}

/** Calls every domain. @returns the last line @throws Error unless all answered */
function smoke(token) {
  const output = compose('run', '--rm', 'smoke', token);
  return /\d+ of \d+ domains answered/.exec(output)?.[0];
}

function compose(...args) {
  return run('compose', 'docker-compose.yml', ...args);
}

/** Runs a program of the folder. @returns what it prints @throws Error with its output if it fails */
function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(join(folder, program), args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

function say(text) {
  console.log(`${Math.round((Date.now() - started) / 1000)} s: ${text}`);
}
