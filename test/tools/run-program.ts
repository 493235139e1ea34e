import { execFile } from 'node:child_process';

/** Runs a program in a folder, with nothing of this environment but the path and npm's cache. */
export function runProgram(
  folder: string,
  program: string,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((done) => {
    execFile(program, args, { cwd: folder, env: { PATH, HOME } }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      done({ code, output: `${stdout}${stderr}` });
    });
  });
}

/** Installs packed packages into a folder, without the network. */
export function installPacked(folder: string, packed: readonly string[]) {
  // Without a prefix npm installs into the nearest folder above that has packages.
  const to = ['--prefix', folder];
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...to];
  return runProgram(folder, 'npm', ['install', ...flags, ...packed]);
}
