import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries } from './binaries.js';
import { EmbeddedError, errorCode, errorText } from './embedded-error.js';
import { type DataFolder } from './folder.js';

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

// From inside the data folder: a way that runs the program and cannot reach its data is none.
const fromInside = ['/bin/sh', '-c', 'cd "$1" && exec "$0" --version'];

/**
 * Picks the first way in which `postgres --version` runs inside the data folder. A cluster that exists keeps its owner,
 * so that a start as root of a plain user's data leaves it usable by that user.
 */
export async function chooseLauncher(binaries: Binaries, folder: DataFolder): Promise<Launcher> {
  // Nothing of this process's environment (PGPORT, PGOPTIONS, LC_ALL, ...) may change how the database behaves.
  const env: NodeJS.ProcessEnv = { PATH: path, LC_ALL: 'C', TZ: 'UTC' };
  if (binaries.libraries !== undefined) env['LD_LIBRARY_PATH'] = binaries.libraries;

  const failures: unknown[] = [];
  for (const way of ways(binaries, folder)) {
    const probe = isRoot()
      ? [...fromInside, binaries.postgres, folder.root]
      : [binaries.postgres, '--version'];
    const [command = '', ...args] = [...way.prefix, ...probe];
    try {
      const { stdout } = await execute(command, args, { env, timeout: 20_000 });
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

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function ways(binaries: Binaries, folder: DataFolder): Way[] {
  const bound = ['setpriv', '--pdeathsig', 'INT', '--'];
  const asNobody = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...bound];
  if (process.platform !== 'linux') return [{ prefix: [] }];
  if (!isRoot()) {
    const plain = [{ prefix: bound }, { prefix: [] }];
    // initdb wants a name for its user, which containers started with an arbitrary number do not have.
    return hasName() ? plain : [{ prefix: asNobody }, ...plain];
  }

  const owner = existsSync(folder.cluster) ? statSync(folder.cluster).uid : 0;
  const uid = owner === 0 ? nobody : owner;
  const become = ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  const open = isOpen(binaries.postgres) && isOpen(folder.cluster);
  const result: Way[] = [
    {
      prefix: [
        ...become,
        ...(open ? [] : passThroughFolders()),
        '--no-new-privs',
        ...bound.slice(1),
      ],
      uid,
    },
  ];
  // Root of a user namespace cannot become another user, but can call itself one in a namespace below.
  if (owner === 0) result.push({ prefix: asNobody });
  return result;
}

/** True when this process's user is in the list of users. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false; // that is how Node says it
  }
}

/** True when every user may pass through all folders above the path; false in a checkout below /root (mode 0700). */
function isOpen(path: string): boolean {
  const above = dirname(path);
  if (!existsSync(above) || (statSync(above).mode & 0o001) === 0) return false;
  return above === path || isOpen(above);
}

/** Options of setpriv that leave the unprivileged user the one right to pass through closed folders. */
function passThroughFolders(): string[] {
  const name = ['dac_read_search', 'dac_override'].find(holdsCapability); // containers often keep only the second
  if (name === undefined) return [];
  const only = [`--inh-caps=+${name}`, `--ambient-caps=+${name}`, `--bounding-set=-all,+${name}`];
  return ['--securebits', '+no_setuid_fixup', ...only]; // access(2) disregards capabilities without that bit
}

/** True when this process holds the capability, by the bits of /proc/self/status. */
function holdsCapability(name: string): boolean {
  const bits: Record<string, bigint> = { dac_override: 1n, dac_read_search: 2n };
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return ((BigInt(`0x${line ?? '0'}`) >> (bits[name] ?? 63n)) & 1n) === 1n;
}

function explain(postgres: string, failures: unknown[]): EmbeddedError {
  const texts = failures.map(errorText);
  const cause = new AggregateError(failures, texts.join('\n'));
  const own = 'Set DATABASE_URL to a PostgreSQL of yours.';
  // The file is there, yet "no such file": its loader is missing, which is what a glibc program meets on musl.
  const loader =
    failures.some((f) => errorCode(f) === 'ENOENT' && texts.length === 1) ||
    texts.some((t) => [': No such file', ': not found'].some((end) => t.includes(postgres + end)));
  if (loader)
    return new EmbeddedError(
      'binaries_unusable',
      postgres,
      'the program needs the GNU C library, which this system does not have (Alpine and other musl systems)',
      `Use a glibc system such as Debian. ${own}`,
      { cause },
    );
  if (
    isRoot() &&
    texts.some((t) =>
      /setresuid|set.*id failed|can't cd|Operation not permitted|Invalid argument|setpriv ENOENT/.test(
        t,
      ),
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
