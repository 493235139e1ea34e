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

/** Runs PostgreSQL's programs on this system: never as root, and so that the server stops with the process that started it. */
export interface Launcher {
  /** PostgreSQL's major version, such as 18. */
  major: number;
  /** The user who owns the cluster's files, if not the user of this process. */
  uid?: number;
  run(program: string, args: string[]): Promise<void>;
  spawn(program: string, args: string[], log: number): ChildProcess;
}

interface LaunchMethod {
  prefix: string[];
  uid?: number;
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

// Runs inside the data folder, because a method that cannot access the data is not usable.
const fromInside = ['/bin/sh', '-c', 'cd "$1" && exec "$0" --version'];

/**
 * Chooses the first launch method with which `postgres --version` runs inside the data folder. An existing cluster keeps its
 * owner, so that data of an ordinary user stays usable by that user after root has started it.
 */
export async function chooseLauncher(binaries: Binaries, folder: DataFolder): Promise<Launcher> {
  // The environment of this process (PGPORT, PGOPTIONS, LC_ALL, ...) must not change how the database behaves.
  const env: NodeJS.ProcessEnv = { PATH: path, LC_ALL: 'C', TZ: 'UTC' };
  if (binaries.libraries !== undefined) env['LD_LIBRARY_PATH'] = binaries.libraries;

  const failures: unknown[] = [];
  for (const method of launchMethods(binaries, folder)) {
    const probe = isRoot()
      ? [...fromInside, binaries.postgres, folder.root]
      : [binaries.postgres, '--version'];
    const [command = '', ...args] = [...method.prefix, ...probe];
    try {
      const { stdout } = await execute(command, args, { env, timeout: 20_000 });
      const full = [...method.prefix];
      return {
        major: Number(/\) (\d+)/.exec(stdout)?.[1]),
        ...(method.uid === undefined ? {} : { uid: method.uid }),
        run: async (program, args) => {
          const [first = '', ...rest] = [...full, program, ...args];
          await execute(first, rest, { env, cwd: '/', timeout: 120_000 });
        },
        spawn: (program, args, log) => {
          const [first = '', ...rest] = [...full, program, ...args];
          // Runs in its own session, so that Ctrl-C reaches only this process, which stops the database when it has finished.
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

function launchMethods(binaries: Binaries, folder: DataFolder): LaunchMethod[] {
  const bound = ['setpriv', '--pdeathsig', 'INT', '--'];
  const asNobody = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...bound];
  if (process.platform !== 'linux') return [{ prefix: [] }];
  if (!isRoot()) {
    const plain = [{ prefix: bound }, { prefix: [] }];
    // initdb needs a user name, which containers that run under an arbitrary user id do not have.
    return hasName() ? plain : [{ prefix: asNobody }, ...plain];
  }

  const owner = existsSync(folder.cluster) ? statSync(folder.cluster).uid : 0;
  const uid = owner === 0 ? nobody : owner;
  const become = ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  const isAccessible = isEnterable(binaries.postgres) && isEnterable(folder.cluster);
  const result: LaunchMethod[] = [
    {
      prefix: [
        ...become,
        ...(isAccessible ? [] : passThroughFolders()),
        '--no-new-privs',
        ...bound.slice(1),
      ],
      uid,
    },
  ];
  // Root of a user namespace cannot switch to another user, but can map itself to one in a nested namespace.
  if (owner === 0) result.push({ prefix: asNobody });
  return result;
}

/** True when the user of this process has a name. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false; // Node throws when the user id has no entry
  }
}

/** True when every user may enter all folders above the path; false in a checkout below /root (mode 0700). */
function isEnterable(path: string): boolean {
  const above = dirname(path);
  if (!existsSync(above) || (statSync(above).mode & 0o001) === 0) return false;
  return above === path || isEnterable(above);
}

/** Returns options for setpriv that let the unprivileged user enter closed folders and grant no other right. */
function passThroughFolders(): string[] {
  const name = ['dac_read_search', 'dac_override'].find(holdsCapability); // containers often have only the second
  if (name === undefined) return [];
  const only = [`--inh-caps=+${name}`, `--ambient-caps=+${name}`, `--bounding-set=-all,+${name}`];
  return ['--securebits', '+no_setuid_fixup', ...only]; // without this bit access(2) ignores capabilities
}

/** True when this process has the capability, according to /proc/self/status. */
function holdsCapability(name: string): boolean {
  const bits: Record<string, bigint> = { dac_override: 1n, dac_read_search: 2n };
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return ((BigInt(`0x${line ?? '0'}`) >> (bits[name] ?? 63n)) & 1n) === 1n;
}

function explain(postgres: string, failures: unknown[]): EmbeddedError {
  const texts = failures.map(errorText);
  const cause = new AggregateError(failures, texts.join('\n'));
  const remedy = 'Set DATABASE_URL to your own PostgreSQL.';
  // "No such file" for an existing file means that its loader is missing, as for a glibc program on musl.
  const loader =
    failures.some((f) => errorCode(f) === 'ENOENT' && texts.length === 1) ||
    texts.some((t) => [': No such file', ': not found'].some((end) => t.includes(postgres + end)));
  if (loader)
    return new EmbeddedError(
      'binaries_unusable',
      postgres,
      'the program needs the GNU C library, which this system does not have (Alpine and other musl systems)',
      `Use a glibc system such as Debian. ${remedy}`,
      { cause },
    );
  if (
    isRoot() &&
    texts.some((t) =>
      /setresuid|set[a-z]{0,5}id failed|can't cd|Operation not permitted|Invalid argument|setpriv ENOENT/.test(
        t,
      ),
    )
  )
    return new EmbeddedError(
      'root_not_possible',
      postgres,
      `PostgreSQL refuses to run as root, and root cannot switch to another user here (${firstLine(texts[0])})`,
      `Run as an ordinary user. ${remedy}`,
      { cause },
    );
  return new EmbeddedError(
    'binaries_unusable',
    postgres,
    `the program does not run on this system (${firstLine(texts.at(-1))})`,
    remedy,
    { cause },
  );
}

function firstLine(text = ''): string {
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Command failed'));
  return lines[0] ?? text.split('\n')[0] ?? '';
}
