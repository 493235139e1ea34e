// Builds apps/console/web into dist/console: hashed files, each with its compressed forms beside it.
//   node tools/build-console.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { root, run } from './install.mjs';

const web = join(root, 'apps/console/web');
const target = join(root, 'dist/console');

export async function buildConsole() {
  run(process.execPath, [
    join(root, 'node_modules/typescript7/bin/tsc'),
    ...['-p', join(web, 'tsconfig.json')],
  ]);
  await build({
    root: web,
    base: '/console/',
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0, // the policy of the pages allows scripts and styles of files only
      modulePreload: { polyfill: false },
    },
  });
  for (const name of readdirSync(target, { recursive: true })) {
    if (!['.html', '.js', '.css', '.svg'].includes(extname(name))) continue;
    const content = readFileSync(join(target, name));
    writeFileSync(join(target, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(target, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === import.meta.filename) await buildConsole();
