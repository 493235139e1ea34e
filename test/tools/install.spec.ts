import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const install = new URL('../../../tools/install.mjs', import.meta.url);
const { isInstalled, runAlone } = (await import(install.href)) as {
  isInstalled: (folder: string) => boolean;
  runAlone: <T>(folder: string, work: () => T) => T;
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onefold-install-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('runAlone', () => {
  it('runs the work of several processes one after the other, also behind one that was killed', async () => {
    const log = join(folder, 'log');
    const work = (body: string) => `
      import { appendFileSync } from 'node:fs';
      import { runAlone } from ${JSON.stringify(fileURLToPath(install))};
      const log = (text) => appendFileSync(${JSON.stringify(log)}, text);
      runAlone(${JSON.stringify(join(folder, 'alone'))}, () => { ${body} });
    `;
    const start = (body: string) =>
      once(spawn(process.execPath, ['--input-type=module', '-e', work(body)]), 'exit');
    await start(`log('killed '); process.kill(process.pid, 'SIGKILL');`);
    const write = `log('begin '); for (const end = Date.now() + 50; Date.now() < end;); log('end ');`;
    await Promise.all([start(write), start(write), start(write)]);
    expect(readFileSync(log, 'utf8')).toBe('killed begin end begin end begin end ');
  });

  it('lets the next one run after work that fails', () => {
    const place = join(folder, 'failing');
    expect(() =>
      runAlone(place, () => {
        throw new Error('no network');
      }),
    ).toThrow('no network');
    expect(runAlone(place, () => 'done')).toBe('done');
  });
});

describe('isInstalled', () => {
  const write = (name: string, packages: object, minutesAgo: number) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ packages }));
    const time = Date.now() / 1_000 - minutesAgo * 60;
    utimesSync(file, time, time);
  };
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/undici': { version: '7.0.0' },
    'node_modules/windows-only': { version: '1.0.0', optional: true },
  };

  it.each<[string, object, boolean]>([
    ['the same packages', { 'node_modules/undici': { version: '7.0.0' } }, true],
    ['another version', { 'node_modules/undici': { version: '6.0.0' } }, false],
    ['a package less', {}, false],
  ])('compares a lock file that is newer than the installed one: %s', (_case, found, expected) => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    write('node_modules/.package-lock.json', found, 2);
    write('package-lock.json', wanted, 1);
    expect(isInstalled(folder)).toBe(expected);
  });

  it('is false before anything was installed', () => {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    expect(isInstalled(folder)).toBe(false);
  });
});

describe('npm with the settings of the project', () => {
  it('runs no script of a package that it installs', () => {
    const settings = fileURLToPath(new URL('../../../.npmrc', import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'onefold-scripts-'));
    mkdirSync(join(folder, 'greedy'));
    const postinstall = `node -e "require('fs').writeFileSync('ran', '')"`;
    const greedy = { name: 'greedy', version: '1.0.0', scripts: { postinstall } };
    writeFileSync(join(folder, 'greedy/package.json'), JSON.stringify(greedy));
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"greedy":"file:greedy"}}');
    copyFileSync(settings, join(folder, '.npmrc'));
    const install = (...more: string[]) =>
      spawnSync('npm', ['install', '--offline', ...more], { cwd: folder }).status;
    expect([install(), existsSync(join(folder, 'greedy/ran'))]).toEqual([0, false]);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect([install('--ignore-scripts=false'), existsSync(join(folder, 'greedy/ran'))]).toEqual([
      0,
      true,
    ]);
    rmSync(folder, { recursive: true });
  });
});
