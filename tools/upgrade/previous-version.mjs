// A commit of this repository beside this checkout, for proofs that run two versions.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../install.mjs';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Checks out a commit in `.cache/previous`, without its packages. @returns its short name and its folder */
export function previousSources(revision) {
  const commit = git('rev-parse', '--short', `${revision}^{commit}`);
  const folder = join(root, '.cache/previous', commit);
  if (!existsSync(join(folder, 'package.json'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    // Sources without history: a work tree would be listed in this repository until somebody removes it.
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  }
  return { commit, folder };
}

/** Checks out a commit and builds it once. @returns its short name and its folder */
export function previousVersion(revision) {
  const { commit, folder } = previousSources(revision);
  if (!existsSync(join(folder, 'dist/.built'))) {
    console.log(`Building ${commit} in ${folder} ...`);
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
    run(process.execPath, ['tools/build.mjs'], { cwd: folder });
  }
  return { commit, folder };
}
