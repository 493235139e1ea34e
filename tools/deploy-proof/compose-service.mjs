// Starts processes of docker-compose.yml as containers beside those of compose, of any image: the second version of a mix.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { root } from '../install.mjs';

const project = 'onefold';
const maxStartMs = 180_000;
const apiPort = 8080;

/** Reads a service, with the default of each variable. */
function serviceOf(name) {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), {
    merge: true,
  });
  const resolve = (value) =>
    String(value).replace(
      /\$\{(\w+):-([^}]*)\}/g,
      (_, variable, otherwise) => process.env[variable] ?? otherwise,
    );
  const { command, environment = {} } = services[name];
  const settings = Object.entries(environment).map(([key, value]) => `${key}=${resolve(value)}`);
  return { command, settings };
}

/** The options of `podman run` that are those of the services in docker-compose.yml. */
function optionsOf(settings) {
  return [
    '--network',
    `${project}_default`,
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--volume',
    `${project}_keys:/keys`,
    ...settings.flatMap((setting) => ['--env', setting]),
  ];
}

/** Runs a command of an image to its end, with the settings of a service. @returns what it prints */
export async function runOnce(containers, image, service, args) {
  const { settings } = serviceOf(service);
  return await containers.podman('run', '--rm', ...optionsOf(settings), image, ...args);
}

/** Starts a process and waits until it is ready. @returns how to reach and to stop it */
export async function startService(containers, image, service, name) {
  const { command, settings } = serviceOf(service);
  await containers.podman('run', '-d', '--name', name, ...optionsOf(settings), image, ...command);
  const address = await containers.addressOf(name);
  try {
    await waitUntilReady(address);
  } catch (error) {
    const log = await containers.logsOf(name);
    await containers.podman('rm', '-f', name);
    throw new Error(`${name}: ${error.message}\n${log}`, { cause: error });
  }
  return {
    url: service === 'gateway' ? `http://${address}:${apiPort}` : undefined,
    stop: async () => {
      await containers.podman('stop', '-t', '40', name);
      const code = await containers.podman('inspect', '--format', '{{.State.ExitCode}}', name);
      // After SIGKILL it is 137: the process did not end within the grace of a pod, so its calls may be lost.
      if (code.trim() !== '0') console.log(`${name} ended with ${code.trim()}`);
      await containers.podman('rm', name);
    },
  };
}

/** Waits until a process of the product is ready. @param address of its container */
export async function waitUntilReady(address, port = 9464, path = '/health/ready') {
  for (const until = Date.now() + maxStartMs; ; await sleep(300)) {
    const ready = await fetch(`http://${address}:${port}${path}`).then(
      async (response) => (response.ok ? '' : `${response.status} ${await response.text()}`),
      (error) => error.cause?.message ?? error.message,
    );
    if (ready === '') return;
    if (Date.now() > until) throw new Error(`${address} is not ready: ${ready}`);
  }
}
