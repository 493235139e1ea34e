import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Binaries } from './binaries.js';
import { EmbeddedError, errorCode } from './embedded-error.js';

const execute = promisify(execFile);
const nobody = 65534;

/** How PostgreSQL's programs are run here: it refuses to run as root, and it must die with the process that started it. */
export interface Launcher {
  /** PostgreSQL's major version, such as 18. */
  major: number;
  /** The user that owns the cluster's files, when it is not the user of this process. */
  uid?: number;
  run(program: string, args: string[]): Promise<void>;
  spawn(program: string, args: string[], log: number): ChildProcess;
}

interface Way {
  prefix: string[];
  uid?: number;
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Picks the first way in which `postgres --version` runs. `clusterFolder` may exist already: then its owner is kept,
 * so that a start as root of a plain user's data leaves it usable by that user.
 */
export async function chooseLauncher(binaries: Binaries, clusterFolder: string): Promise<Launcher> {
  // Nothing of this process's environment (PGPORT, PGOPTIONS, LC_ALL, ...) may change how the database behaves.
  const env: NodeJS.ProcessEnv = { PATH: path, LC_ALL: 'C', TZ: 'UTC' };
  if (binaries.libraries !== undefined) env['LD_LIBRARY_PATH'] = binaries.libraries;

  const failures: unknown[] = [];
  for (const way of ways(clusterFolder)) {
    const [command = '', ...before] = [...way.prefix, binaries.postgres];
    try {
      const { stdout } = await execute(command, [...before, '--version'], { env, timeout: 20_000 });
      const full = [...way.prefix];
      return {
        major: Number(/\) (\d+)/.exec(stdout)?.[1]),
        ...(way.uid === undefined ? {} : { uid: way.uid }),
        run: async (program, args) => {
          const [first = '', ...rest] = [...full, program, ...args];
          await execute(first, rest, { env, cwd: '/', timeout: 120_000 });
        },
        spawn: (program, args, log) => {
          const [first = '', ...rest] = [...full, program, ...args];
          // A session of its own: Ctrl-C in the terminal is for us, and the database stops when we have finished.
          return spawn(first, rest, { env, cwd: '/', detached: true, stdio: ['ignore', log, log] });
        },
      };
    } catch (error) {
      failures.push(error);
    }
  }
  throw explain(binaries.postgres, failures);
}

function ways(clusterFolder: string): Way[] {
  const bound = ['setpriv', '--pdeathsig', 'INT', '--'];
  if (process.getuid?.() !== 0)
    return process.platform === 'linux' ? [{ prefix: bound }, { prefix: [] }] : [{ prefix: [] }];

  const owner = existsSync(clusterFolder) ? statSync(clusterFolder).uid : 0;
  const uid = owner === 0 ? nobody : owner;
  const plain = ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  const tail = ['--no-new-privs', '--pdeathsig', 'INT', '--'];
  // An unprivileged user cannot reach a checkout below /root (mode 0700). One capability lets it pass through folders;
  // containers often keep only the second of the two.
  const reach = ['dac_read_search', 'dac_override'].filter(holdsCapability).slice(0, 1);
  const capabilities = reach.flatMap((name) => [
    `--inh-caps=+${name}`,
    `--ambient-caps=+${name}`,
    `--bounding-set=-all,+${name}`,
  ]);
  const result: Way[] = [{ prefix: [...plain, ...capabilities, ...tail], uid }];
  // Root of a user namespace cannot become another user, but can call itself one in a namespace below.
  if (owner === 0)
    result.push({
      prefix: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...bound],
    });
  return result;
}

/** True when this process holds the capability, by the bits of /proc/self/status. */
function holdsCapability(name: string): boolean {
  const bits: Record<string, bigint> = { dac_override: 1n, dac_read_search: 2n };
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return ((BigInt(`0x${line ?? '0'}`) >> (bits[name] ?? 63n)) & 1n) === 1n;
}

function explain(postgres: string, failures: unknown[]): EmbeddedError {
  const texts = failures.map((failure) =>
    failure instanceof Error ? failure.message : String(failure),
  );
  const cause = new AggregateError(failures, texts.join('\n'));
  const own = 'Set DATABASE_URL to a PostgreSQL of yours.';
  // The file is there, yet "no such file": its loader is missing, which is what a glibc program meets on musl.
  const loader =
    failures.some((f) => errorCode(f) === 'ENOENT' && texts.length === 1) ||
    texts.some((t) => t.includes(`${postgres}: No such file`));
  if (loader)
    return new EmbeddedError(
      'binaries_unusable',
      postgres,
      'the program needs the GNU C library, which this system does not have (Alpine and other musl systems)',
      `Use a glibc system such as Debian. ${own}`,
      { cause },
    );
  if (
    process.getuid?.() === 0 &&
    texts.some((t) =>
      /setresuid|set.*id failed|Operation not permitted|Invalid argument|setpriv ENOENT/.test(t),
    )
  )
    return new EmbeddedError(
      'root_not_possible',
      postgres,
      `PostgreSQL refuses to run as root, and root may not become another user here (${firstLine(texts[0])})`,
      `Run as a plain user. ${own}`,
      { cause },
    );
  return new EmbeddedError(
    'binaries_unusable',
    postgres,
    `the program does not run on this system (${firstLine(texts.at(-1))})`,
    own,
    { cause },
  );
}

function firstLine(text = ''): string {
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Command failed'));
  return lines[0] ?? text.split('\n')[0] ?? '';
}
