import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { type App, programOf, startNode } from './processes.js';

/** Packages that few installations use, which are loaded at their first use. */
const loadedOnDemand = [
  '@aws-sdk/client-kms',
  '@azure/identity',
  '@azure/keyvault-keys',
  '@node-saml/node-saml',
  '@xmldom/xmldom',
  'fast-uri', // of Ajv, whose small functions the validators of bodies use
  'oauth4webapi',
  'openid-client',
  'jose',
  'xml-crypto',
  'swagger-ui-dist',
  'transliteration',
  '@msgpack/msgpack',
  'htmlparser2',
  'jsonpath-rfc9535',
  'libphonenumber-js',
];

/** The modules of each file of dist/run, as paths in the project folder that begin with a slash. */
const bundled = JSON.parse(
  readFileSync(new URL('../../run/modules.json', import.meta.url), 'utf8'),
) as Record<string, string[]>;

/** Writes the URL of each script of the process to a file at its end. */
const listScripts = (file: string) => `
  import { Session } from 'node:inspector';
  import { writeFileSync } from 'node:fs';
  const session = new Session();
  session.connect();
  const urls = [];
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
  session.post('Debugger.enable');
  process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(urls)));
`;

/** Packages that an idle bridge agent needs; customers run it on small machines, and each package costs memory. */
const packagesOfAgent = [
  'ajv',
  'fast-deep-equal',
  'fast-uri',
  'json-schema-traverse', // for its file
  'aws4fetch',
  'lru-cache',
  'undici',
  'ws',
  'yaml',
];

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'onefold-loaded-'));
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('the start of the standalone process', () => {
  it('loads no package that only few installations need', async () => {
    const urls = await scriptsOf('standalone', ['--port', '0'], /^Address: /m, {
      DATABASE_URL: database.url,
      DATA_FOLDER: join(folder, 'data'),
    });
    const loaded = new Set(urls.map(packageOf));
    expect(loaded).toContain('typeorm'); // The list is complete: it contains packages that every installation uses.
    expect(loadedOnDemand.filter((name) => loaded.has(name))).toEqual([]);
  });
});

describe('the start of a bridge agent', () => {
  it('loads the packages that it uses, and of the rooms only what needs no framework', async () => {
    const file = join(folder, 'bridge-agent.json');
    const key_file = join(folder, 'agent.key');
    writeFileSync(file, JSON.stringify({ server: 'http://127.0.0.1:9', key_file, allow: [] }));
    const urls = await scriptsOf('bridge-agent', [file], /"not connected"/, {
      BRIDGE_CREDENTIAL: 'a.b.c',
    });
    const packages = new Set(urls.map(packageOf).filter((name) => name !== undefined));
    expect([...packages].sort()).toEqual(packagesOfAgent.toSorted());
    const ofRooms = urls.map(
      (url) => /\/libs\/((?:config|document|mapping|observe)\/.+)/.exec(url)?.[1],
    );
    expect(ofRooms.filter((name) => name !== undefined).sort()).toEqual([
      ...['clock', 'environment', 'runtime', 'version'].map((name) => `config/src/${name}.js`),
      ...['json-log', 'run-process', 'runtime', 'stack-traces'].map(
        (name) => `observe/src/${name}.js`,
      ),
    ]);
    // Each is a part of undici: its index would load its fetch, and that of Node with it.
    expect(urls.filter((url) => /undici\/(?:index\.js|undici$)/.test(url))).toEqual([]);
  });
});

/** Starts a process, stops it when it has said something, and returns the URL or path of each module that it has loaded. */
async function scriptsOf(
  app: App,
  args: string[],
  says: RegExp,
  env: Record<string, string>,
): Promise<string[]> {
  const program = join(folder, `${app}-scripts.mjs`);
  const file = join(folder, `${app}-scripts.json`);
  writeFileSync(program, listScripts(file));
  const started = startNode(['--import', program, programOf(app), ...args], env);
  await started.says(says);
  expect((await started.stop()).code).toBe(0);
  const urls = JSON.parse(readFileSync(file, 'utf8')) as string[];
  return urls.flatMap((url) => bundled[url.split('/dist/run/')[1] ?? ''] ?? [url]);
}

function packageOf(url: string): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
}
