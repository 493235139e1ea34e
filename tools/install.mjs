// Makes sure that what package-lock.json names is installed. Uses nothing but Node, as it runs before any package is there.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a command in the project folder with its output shown; ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * `npm ci` when node_modules is missing or older than the lock file. Through a link it installs nothing: `npm ci` begins by
 * emptying the folder, and a linked one belongs to another checkout.
 */
export function installMissing() {
  const modules = join(root, 'node_modules');
  const stamp = join(modules, '.package-lock.json'); // npm writes it at the end of every install
  const lock = join(root, 'package-lock.json');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    if (existsSync(stamp)) return;
    console.error(
      `${modules} is a link to a folder without packages. Run npm ci where it leads to, or remove the link.`,
    );
    process.exit(1);
  }
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing packages (once) ...');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
