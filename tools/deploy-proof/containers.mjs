// Runs podman and docker-compose for the proof of the deployment, through the programs that CONTAINERS_UP makes.
import { execFile } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../install.mjs';

const execute = promisify(execFile);
const composeFile = 'docker-compose.yml';

/**
 * Finds the programs. @param place the folder with `build` and `compose`, or the script that makes such a folder, which is run as
 * `SCRIPT FOLDER`
 */
export async function openContainers(place) {
  const folder = statSync(place).isDirectory() ? place : join(root, '.cache/containers');
  if (folder !== place) {
    mkdirSync(folder, { recursive: true });
    await run('bash', [place, folder]);
  }
  const settings = {
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
    BUILDAH_RUNTIME: join(folder, 'runc'),
  };
  const env = { ...process.env, ...settings };
  // docker-compose gives up after a minute without an answer, as while a container runs that prints nothing.
  const patient = { ...process.env, COMPOSE_HTTP_TIMEOUT: '600' };
  const podman = (...args) => run('podman', args, { env });
  /** Returns the address of a container in its network. */
  const addressOf = async (name) => {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
    return (await podman('inspect', '--format', format, name)).trim().split(' ')[0];
  };
  return {
    podman,
    /** Builds an image of the context in a folder. @returns seconds of processor time, of all that the builder started */
    build: async (context, ...args) => {
      const build = [join(folder, 'build'), '--format', 'docker', '-q', ...args, '.'];
      const times = await run('bash', ['-c', '"$@" >&2 || exit; times', 'bash', ...build], {
        cwd: context,
      });
      const [, ofChildren] = times.trim().split('\n');
      return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
        (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
        0,
      );
    },
    compose: (...args) => run(join(folder, 'compose'), [composeFile, ...args], { env: patient }),
    addressOf,
    /** Returns the address of a pod, which is that of its first container. */
    addressOfPod: async (name) => {
      const format = '{{.InfraContainerID}}';
      return await addressOf((await podman('pod', 'inspect', '--format', format, name)).trim());
    },
    /** Returns what a container has printed, to both streams. */
    logsOf: (name) => run('sh', ['-c', 'podman logs "$0" 2>&1', name], { env }),
    /** True if there is an image of that name. */
    has: (image) =>
      podman('image', 'exists', image).then(
        () => true,
        () => false,
      ),
  };
}

/** Runs a program. @returns what it prints @throws Error with its output if it fails */
export async function run(program, args, options = {}) {
  const running = execute(program, args, { cwd: root, maxBuffer: 64 * 2 ** 20, ...options });
  running.child.stdin?.end(); // `compose run` waits for its end
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error;
    const text = `${program} ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`;
    throw new Error(text, { cause: error });
  }
}
