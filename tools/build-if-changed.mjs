// Builds unless dist is newer than everything it is made of: a start that has nothing to build takes no time for it, and a
// second one does not pull the files away from under the first.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './install.mjs';

const stamp = join(root, 'dist/.built');
const documents = join(root, 'libs/providers/');
const sources = ['apps', 'libs', 'tools', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** @param more further folders that are built into dist and that the caller runs, such as `test` */
export function buildIfChanged(...more) {
  buildUnless((time) => [...sources, ...more].every((name) => isOlder(join(root, name), time)));
}

/** Builds for a program that reads the documents of libs/providers where they are written: an edit of one needs no build. */
export function buildIfCodeChanged() {
  const isDocument = (path) => path.startsWith(documents) && /\.(?:ya?ml|json|md)$/.test(path);
  buildUnless((time) => sources.every((name) => isOlder(join(root, name), time, isDocument)));
}

function buildUnless(isCurrent) {
  if (existsSync(stamp) && isCurrent(statSync(stamp).mtimeMs)) return;
  console.log('Building ...');
  run(process.execPath, [join(root, 'tools/build.mjs'), '--changes']);
}

/** True if no file at or below the path has changed since. */
export function isOlder(
  path,
  time,
  isIgnored = /** @type {(path: string) => boolean} */ (() => false),
) {
  if (!existsSync(path) || isIgnored(path)) return true;
  const stats = statSync(path);
  if (stats.isFile()) return stats.mtimeMs < time;
  // Files that the contract's build writes are among the sources; its own stamp decides whether they are current. A link leads to dist.
  return readdirSync(path, { withFileTypes: true }).every(
    (entry) =>
      entry.name === 'generated' ||
      entry.name === 'node_modules' ||
      entry.isSymbolicLink() ||
      isOlder(join(path, entry.name), time, isIgnored),
  );
}
