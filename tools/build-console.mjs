// Builds apps/console/web: the console into dist/console, with docs for those who read it there, the Connect UI and its embed script into dist/connect. Names of files have a hash
// of their content, except for that of the script, and compressed forms are beside them. What `integrity` has to say of the script is printed,
// and published in embed-1.json.
//   node tools/build-console.mjs
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { writeDocumentation } from './build-documentation.mjs';
import { root, run } from './install.mjs';

const web = join(root, 'apps/console/web');

export async function buildConsole() {
  run(process.execPath, [
    join(root, 'node_modules/typescript7/bin/tsc'),
    '-p',
    join(web, 'tsconfig.json'),
  ]);
  await buildPage(web, 'console');
  await buildPage(join(web, 'connect'), 'connect');
  await build({
    ...common,
    root: join(web, 'embed'),
    build: {
      ...common.build,
      outDir: join(root, 'dist/connect'),
      rollupOptions: {
        input: join(web, 'embed/embed.ts'),
        output: { format: 'iife', entryFileNames: 'embed-1.js' },
      },
    },
  });
  publishIntegrity(join(root, 'dist/connect'), 'embed-1');
  writeDocumentation(join(root, 'dist/console/docs'));
  for (const name of ['console', 'connect']) compress(join(root, 'dist', name));
}

/** @satisfies {import('vite').InlineConfig} */
const common = {
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the policy of the pages allows scripts and styles of files only
    modulePreload: { polyfill: false },
    emptyOutDir: false,
  },
};

async function buildPage(folder, name) {
  const outDir = join(root, 'dist', name);
  await build({
    ...common,
    root: folder,
    base: `/${name}/`,
    build: { ...common.build, outDir, emptyOutDir: true },
  });
}

/** Writes the hash of a script beside it, so that pages of hosts can pin the release that they were tried with. */
function publishIntegrity(folder, name) {
  const script = `${name}.js`;
  const hash = createHash('sha384').update(readFileSync(join(folder, script)));
  const integrity = `sha384-${hash.digest('base64')}`;
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ script, integrity })}\n`);
  // A start and the tests build too, and their users did not ask for it.
  if (process.env.npm_lifecycle_event === 'build') console.log(`${script} ${integrity}`);
}

function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!['.html', '.js', '.css', '.svg'].includes(extname(name))) continue;
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === import.meta.filename) await buildConsole();
