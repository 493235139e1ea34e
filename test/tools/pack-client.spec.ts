import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'rolldown';
import type { Client } from '../e2e/client.js';
import { createMockIntegration } from '../e2e/records.js';
import { sharedOnefold } from '../e2e/onefold.js';
import { installPacked, runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(root, 'libs/client/README.md'), 'utf8');

const { status: version } = spawnSync('python3', [
  '-c',
  'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)',
]);
if (version !== 0)
  console.warn('python3 of 3.11 or newer is missing: the package for Python is not tested');
const withPython = version === 0 ? it : it.skip;

/** Returns what gives the token of an example; one that tries a write needs a provider that gets requests. */
async function connectExamples(api: Client, name: string): Promise<(file: string) => string> {
  const { token } = await createMockIntegration(api, name);
  const called = await createMockIntegration(api, `${name}-called`, 'ticketing_jira_mock');
  return (file) => (file.startsWith('try.') ? called.token : token);
}

withPython(
  'the package for Python runs every example of its README, from its wheel',
  async () => {
    const page = readFileSync(join(root, 'libs/client/python/README.md'), 'utf8');
    const folder = mkdtempSync(join(tmpdir(), 'onefold-python-test-'));
    try {
      const tool = [join(root, 'tools/pack-python.mjs'), '--to', folder];
      const wheel = (await runProgram(root, process.execPath, tool)).output
        .trim()
        .split('\n')
        .at(-1);
      expect(wheel).toMatch(/onefold_client-[\d.]+-py3-none-any\.whl$/);
      const { api } = await sharedOnefold();
      const tokenFor = await connectExamples(api, 'python');
      const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];
      const examples = blocks.flatMap(([, language, name = '', text = ''], index) =>
        language === 'python' ? [{ name, text, printed: blocks[index + 1]?.[3] }] : [],
      );
      for (const { name, text, printed } of examples) {
        const { stdout, stderr } = spawnSync('python3', ['-c', text], {
          cwd: folder,
          // A wheel without compiled code can be imported as it is.
          env: {
            ...process.env,
            PYTHONPATH: wheel,
            ONEFOLD_URL: api.url,
            ONEFOLD_TOKEN: tokenFor(name),
          },
          encoding: 'utf8',
        });
        expect([name, stdout, stderr]).toEqual([name, printed, '']);
      }
      expect(examples).toHaveLength(4);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

describe('the package @onefold/client, in an empty folder', () => {
  let folder: string;
  let listed: string[];
  const run = (program: string, ...args: string[]) => runProgram(folder, program, args);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onefold-client-test-'));
    const tool = [join(root, 'tools/pack-client.mjs'), '--to', folder];
    const { output } = await runProgram(root, process.execPath, tool);
    const packed = output.trim().split('\n').at(-1) ?? '';
    listed = (await run('tar', '-tzf', packed)).output.trim().split('\n');
    expect(await installPacked(folder, [packed])).toMatchObject({ code: 0 });
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('contains what runs, its types and licence, and needs no other package', () => {
    const outside = listed.filter((file) => !file.startsWith('package/dist/')).sort();
    expect(outside).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
    const inside = listed.filter((file) => file.startsWith('package/dist/'));
    expect(inside.filter((file) => !/(?<!\.spec)\.(?:js|d\.ts)$/.test(file))).toEqual([]);
    const manifest = JSON.parse(
      readFileSync(join(folder, 'node_modules/@onefold/client/package.json'), 'utf8'),
    ) as object;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  it('runs every example of its README', async () => {
    const { api } = await sharedOnefold();
    const tokenFor = await connectExamples(api, 'readme');
    const blocks = [...readme.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];
    const examples = blocks.flatMap(([, language, name = '', text = ''], index) =>
      language === 'js' ? [{ name, text, printed: blocks[index + 1]?.[3] }] : [],
    );
    for (const { name, text, printed } of examples) {
      write(name, text);
      write('.env', `ONEFOLD_URL=${api.url}\nONEFOLD_TOKEN=${tokenFor(name)}\n`);
      const { output } = await run(process.execPath, '--env-file=.env', name);
      expect([name, output]).toEqual([name, printed]);
    }
    expect(examples).toHaveLength(6);
  }, 120_000);

  it('has types that a strict project compiles against, with no other package', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags = ['--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2023,dom'];
    const compile = (file: string) =>
      run(process.execPath, tsc, ...flags, '--module', 'nodenext', '--skipLibCheck', 'false', file);
    const source = `import { createOnefold } from '@onefold/client';
const onefold = createOnefold({ url: 'https://onefold.example.com', token: '' });
for await (const { id, priority } of onefold.ticketing.queryTickets({ limit: 5 }))
  console.log(id.length, priority === 'HIGH');
await onefold.ticketing.getTicket({ ticketId: '1' });
export const file: Response = await onefold.storage.downloadFile({ path: 'a' });
export const nothing: undefined = await onefold.accounts.delete({ accountId: 'a' });
const body = { name: 'A ticket' };
console.log((await onefold.ticketing.createTicket({ body })).result.id);
const { dry_run } = await onefold.ticketing.createTicket({ body, dry_run: true });
for (const { method } of dry_run.requests ?? []) console.log(method);
const either = await onefold.ticketing.createTicket({ body, dry_run: dry_run.requests === undefined });
console.log('dry_run' in either ? 'tried' : either.result.id);
`;
    write('typed.mts', source);
    expect(await compile('typed.mts')).toEqual({ code: 0, output: '' });
    const wrong = `await onefold.ticketing.getTicket({ ticket: '1' });
await onefold.ticketing.getTicket();
await onefold.ticketing.createTicket({ body: { priority: 'SOON' } });
console.log((await onefold.ticketing.createTicket({ body, dry_run: true })).result);
`;
    write('wrong.mts', source + wrong);
    const lines = (await compile('wrong.mts')).output.matchAll(/^wrong\.mts\((\d+),/gm);
    expect([...new Set([...lines].map(([, line]) => line))]).toEqual(['14', '15', '16', '17']);
    const page = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
    write('page.mts', `declare const token: string;\n${page}`);
    expect(await compile('page.mts')).toEqual({ code: 0, output: '' });
  }, 120_000);

  it('is small in a bundle, and smaller with one group of operations', async () => {
    const size = async (text: string) => {
      write('entry.mjs', text);
      const { output } = await build({
        input: join(folder, 'entry.mjs'),
        cwd: folder,
        write: false,
        output: { minify: true },
        logLevel: 'silent',
      });
      return gzipSync(output[0].code).length;
    };
    const whole = await size(
      `export * from '@onefold/client'; import { createOnefold } from '@onefold/client'; console.log(createOnefold({ url: '' }))`,
    );
    const one = await size(
      `import { createClient, ticketing } from '@onefold/client'; console.log(createClient({ url: '' }, { ticketing }))`,
    );
    expect(whole).toBeLessThan(15_000);
    expect(one).toBeLessThan(3_500);
    console.log(
      `@onefold/client in a bundle: ${whole} bytes compressed, ${one} with ticketing alone`,
    );
  });
});
