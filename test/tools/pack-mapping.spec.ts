import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installPacked, runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const room = join(root, 'libs/mapping');
const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(room, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'peerDependencies', Record<string, string>>;

describe('the package @onefold/mapping, in an empty folder', () => {
  let folder: string;
  let tarballs: string;
  let listed: string[];
  const run = (program: string, ...args: string[]) => runProgram(folder, program, args);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const command = (...args: string[]) =>
    run(join(folder, 'node_modules/.bin/onefold-mapping'), ...args);

  /** Packs packages of the repository, as a registry would give them. */
  const pack = async (names: readonly string[]) => {
    const places = names.map((name) => `./${join('node_modules', name)}`);
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs];
    const { output } = await runProgram(root, 'npm', [...args, ...places]);
    return [...output.matchAll(/^\S+\.tgz$/gm)].map(([name]) => join(tarballs, name));
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onefold-mapping-test-'));
    tarballs = mkdtempSync(join(tmpdir(), 'onefold-mapping-packed-'));
    const tool = [join(root, 'tools/pack-mapping.mjs'), '--to', tarballs];
    const { output } = await runProgram(root, process.execPath, tool);
    const packed = output.trim().split('\n').at(-1) ?? '';
    listed = (await run('tar', '-tzf', packed)).output.trim().split('\n');
    const installed = await installPacked(folder, [
      packed,
      ...(await pack(Object.keys(dependencies))),
    ]);
    expect(installed).toMatchObject({ code: 0 });
  }, 300_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(tarballs, { recursive: true, force: true });
  });

  it('contains what runs, its types, pages and licence, and neither sources nor specs', () => {
    const outside = listed.filter((file) => !file.startsWith('package/dist/')).sort();
    expect(outside).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/docs/deviations.md',
      'package/docs/functions.md',
      'package/docs/language.md',
      'package/docs/methods.md',
      'package/package.json',
    ]);
    expect(listed).toContain('package/dist/index.d.ts');
    const inside = listed.filter((file) => file.startsWith('package/dist/'));
    expect(inside.filter((file) => !/\.(?:js|d\.ts)$/.test(file) || /\.spec\./.test(file))).toEqual(
      [],
    );
  });

  it('leads from its pages to pages that it contains alone', () => {
    const at = join(folder, 'node_modules/@onefold/mapping');
    const links = listed
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace('package/', ''))
      .flatMap((page) =>
        [...readFileSync(join(at, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(
          ([, to = '']) => `package/${join(page, '..', to)}`,
        ),
      );
    expect(links).toContain('package/docs/methods.md');
    expect(links.filter((to) => !listed.includes(to))).toEqual([]);
  });

  it('runs every example of its README', async () => {
    const readme = readFileSync(join(room, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
      ([, language = '', name, text = '']) => ({ language, name, text }),
    );
    let examples = 0;
    for (const [index, { language, name, text }] of blocks.entries()) {
      if (name !== undefined) write(name, text);
      if (language !== 'js' && language !== 'sh') continue;
      const { output } =
        language === 'js'
          ? await run(process.execPath, name ?? '')
          : await run('sh', '-c', `export npm_config_loglevel=error\n${text}`);
      expect([text, output]).toEqual([text, blocks[index + 1]?.text]);
      examples += 1;
    }
    expect(examples).toBeGreaterThan(5);
  });

  it('has types that a strict project compiles against, with no other package', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags = ['--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2023'];
    const compile = (file: string) =>
      run(process.execPath, tsc, ...flags, '--module', 'nodenext', '--skipLibCheck', 'false', file);
    const source = `import { type CompiledTemplate, compileDocument, compileTemplate, parseJson, type Value } from '@onefold/mapping';
const template: CompiledTemplate = compileTemplate('root = this.a');
const value: Value = template.run(parseJson('{"a":1}')).root;
export const fields: string[] = compileDocument('').fields();
`;
    write('typed.mts', `${source}export { value };\n`);
    expect(await compile('typed.mts')).toEqual({ code: 0, output: '' });
    write('wrong.mts', `${source}export const wrong: string = template.run(value);\n`);
    expect((await compile('wrong.mts')).output.trim()).toBe(
      "wrong.mts(5,14): error TS2322: Type 'RunResult' is not assignable to type 'string'.",
    );
  });

  it('is loaded by require as well', async () => {
    const program = `console.log(require('@onefold/mapping').compileTemplate('root = this + 1').run(1).root)`;
    expect(await run(process.execPath, '-e', program)).toEqual({ code: 0, output: '2\n' });
  });

  it('tests, lays out and explains with its command; --operation needs the contract', async () => {
    write(
      'm.yaml',
      'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.a =  this.a\n',
    );
    write('m.cases.yaml', '- {input: {a: 1}, output: {a: 1}}\n');
    write('one.json', '{"a": 1}');
    expect(await command('test', 'm.yaml')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 passed, 0 failed') as unknown,
    });
    expect(await command('fmt', '--check', 'm.yaml')).toMatchObject({ code: 1 });
    expect(await command('fmt', 'm.yaml')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'm.yaml'), 'utf8')).toContain('default: root.a = this.a\n');
    const explained = await command(
      'explain',
      'm.yaml',
      '--input',
      'one.json',
      '--field',
      'root.a',
    );
    expect(explained).toMatchObject({ code: 0 });
    expect(explained.output).toContain('m.yaml:4:');
    expect(await command('lint', 'm.yaml')).toEqual({ code: 0, output: '' });
    expect(await command('lint', 'm.yaml', '--operation', 'ticketing_query_tickets')).toMatchObject(
      {
        code: 2,
        output: expect.stringMatching(/^--operation needs the contract/) as unknown,
      },
    );
  });

  it('names the package that a method needs, and calls the method when that is installed', async () => {
    const schema = 'this.json_schema("""{"type":"string"}""").catch("no text")';
    write('run.sh', `echo 1 | node_modules/.bin/onefold-mapping run -e '${schema}'`);
    expect(await run('sh', 'run.sh')).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /the method json_schema needs the package jsonschema, which is not installed\n[^]*\nInstall it: npm install jsonschema@1\n$/,
      ) as unknown,
    });
    const [jsonschema = ''] = await pack(['jsonschema']);
    expect(await installPacked(folder, [jsonschema])).toMatchObject({ code: 0 });
    expect(await run('sh', 'run.sh')).toEqual({ code: 0, output: '"no text"\n' });
  });

  it('names every package that is not installed, each at the line of its method', async () => {
    const missing = Object.keys(peerDependencies).filter((name) => name !== 'jsonschema');
    const calls =
      'format_msgpack() unescape_html() parse_xml() json_path("$.a") parse_markdown() slug()'.split(
        ' ',
      );
    write('all.blobl', calls.map((call, index) => `root.a${index} = this.${call}\n`).join(''));
    const { code, output } = await command('check', 'all.blobl');
    expect(code).toBe(2);
    expect(
      [...output.matchAll(/Install it: npm install (.+)@\d+$/gm)].map(([, name]) => name),
    ).toEqual(missing);
    expect(output).toMatch(/^all\.blobl:6:22: the method slug needs the package transliteration/m);
  });
});
