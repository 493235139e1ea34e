// Makes sure that what package-lock.json names is installed. Uses nothing but Node, as it runs before any package is there.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pollIntervalMs = 200;

/** Runs a command in the project folder and shows its output; ends this process with its exit code if it fails. */
export function run(command, args, options = {}) {
  const status = execute(command, args, options);
  if (status !== 0) process.exit(status);
}

/**
 * Runs `npm ci` if node_modules does not have the packages of the lock file. Through a link it installs nothing: `npm ci` begins by
 * emptying the folder, and a linked one belongs to another checkout. Of several processes that find packages missing, one installs
 * and the others wait for it.
 */
export function installMissing() {
  const modules = join(root, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    if (existsSync(join(modules, '.package-lock.json'))) return;
    console.error(
      `${modules} is a link to a folder without packages. Run npm ci where it leads to, or remove the link.`,
    );
    process.exit(1);
  }
  if (isInstalled(root)) return;
  const status = runAlone(join(root, '.cache', 'installing'), () => {
    if (isInstalled(root)) return 0; // Installed by the other process.
    console.log('Installing packages (once) ...');
    return execute('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
  if (status !== 0) process.exit(status);
}

/** True if every package of a folder's lock file is installed; those for other platforms may be missing. */
export function isInstalled(folder) {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.package-lock.json'); // npm writes it at the end of every install.
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  // A checkout touches the file, often without a change of packages.
  const found = packagesOf(installed);
  return Object.entries(packagesOf(lock)).every(
    ([path, { version, optional }]) =>
      path === '' || (found[path] === undefined ? optional : found[path].version === version),
  );
}

/**
 * Runs work while no other process runs work of this folder. Each work has the next number there: a file with the id of its process,
 * emptied at the end. Files are never removed, so that no number is given twice, and work of a process that was killed blocks nobody.
 * @returns the result of the work
 */
export function runAlone(folder, work) {
  mkdirSync(folder, { recursive: true });
  const file = takeTurn(folder);
  try {
    return work();
  } finally {
    writeFileSync(file, '');
  }
}

/** Waits until the last work of the folder has ended. @returns the file of the next one */
function takeTurn(folder) {
  const draft = join(folder, `${process.pid}.draft`);
  writeFileSync(draft, String(process.pid));
  try {
    for (;;) {
      const last = Math.max(0, ...readdirSync(folder).filter(isNumber).map(Number));
      if (last > 0 && isRunning(readFileSync(join(folder, String(last)), 'utf8'))) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollIntervalMs);
        continue;
      }
      const next = join(folder, String(last + 1));
      if (linked(draft, next)) return next;
    }
  } finally {
    rmSync(draft);
  }
}

const isNumber = (name) => /^\d+$/.test(name);

/** Linking creates a file with its content in one step, and succeeds in one process only. */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function isRunning(pid) {
  try {
    return pid !== '' && process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM'; // The process belongs to another user.
  }
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function execute(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}
