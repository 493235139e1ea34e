import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { programOf, startNode } from './processes.js';

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
  'jsonschema',
  'libphonenumber-js',
];

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
    const program = join(folder, 'list-scripts.mjs');
    const file = join(folder, 'scripts.json');
    writeFileSync(program, listScripts(file));
    const standalone = startNode(['--import', program, programOf('standalone'), '--port', '0'], {
      DATABASE_URL: database.url,
      DATA_FOLDER: join(folder, 'data'),
    });
    await standalone.says(/^Address: /m);
    expect((await standalone.stop()).code).toBe(0);

    const urls = JSON.parse(readFileSync(file, 'utf8')) as string[];
    const loaded = new Set(urls.map(packageOf));
    expect(loaded).toContain('typeorm'); // The list is complete: it contains packages that every installation uses.
    expect(loadedOnDemand.filter((name) => loaded.has(name))).toEqual([]);
  });
});

function packageOf(url: string): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
}
