import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { compileDocument, type Value } from '@onefold/mapping';
import { lintRecord, sharedTemplate } from '#ocsf';
import { makeWorld } from '../../libs/fakes/src/world/index.js';
import { mappings } from './mappings.js';

const start = new Date('2026-11-20T13:37:11.250Z');
const world = makeWorld({ start, dataset: 'BASIC' });

describe('mappings with the shared templates, over the demonstration company', () => {
  it.each(Object.keys(mappings) as (keyof typeof mappings)[])(
    'make records of %s that the lint finds nothing in',
    (name) => {
      const mapping = compileDocument(mappings[name], { shared: sharedTemplate });
      for (const row of world[name]) {
        const record = mapping.run(row, {
          metadata: { now: start.getTime() },
        })?.record;
        expect([row.key, lintRecord(record)]).toEqual([row.key, { errors: [], warnings: [] }]);
      }
    },
  );

  it('keep what the systems know: the laptop of the attack, its user, its CVE', () => {
    const run = (name: keyof typeof mappings, key: string) =>
      compileDocument(mappings[name], { shared: sharedTemplate }).run(
        (world[name] as readonly { key: string }[]).find((row) => row.key === key),
        { metadata: { now: start.getTime() } },
      )?.record;
    expect(run('devices', 'dev-0019')).toMatchObject({
      type_uid: 500_102,
      device: { hostname: 'AP-UTR-L0019', type: 'Laptop', os: { type: 'Windows' } },
    });
    expect(run('alerts', 'alt-0011')).toMatchObject({
      severity: 'Critical',
      finding_info: { attacks: [{ technique: { uid: 'T1203' } }] },
      evidences: [{ process: { name: 'cmd.exe', parent_process: { name: 'WinRAR.exe' } } }],
    });
    expect(run('people', 'emp-0019')).toMatchObject({
      entity: { user: { name: 'pieter.jansen' } },
    });
    expect(run('vulnerabilities', 'CVE-2023-38831')).toMatchObject({
      severity: 'High',
      vulnerabilities: [{ cve: { uid: 'CVE-2023-38831', cvss: [{ base_score: 7.8 }] } }],
    });
  });
});

describe('docs/ocsf.md', () => {
  const page = readFileSync(new URL('../../../docs/ocsf.md', import.meta.url), 'utf8');
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
      ([, text = '']) => text,
    );

  it('shows a mapping, a record and what becomes of it', () => {
    const [source = ''] = blocks('yaml');
    const [input = '', output = ''] = blocks('json');
    const mapping = compileDocument(source, { shared: sharedTemplate });
    const made = mapping.run(JSON.parse(input) as Value)?.record;
    expect(made).toEqual(JSON.parse(output));
    expect(lintRecord(made)).toEqual({ errors: [], warnings: [] });
  });

  it('shows what the command prints', () => {
    const [, output = ''] = blocks('json');
    const good = JSON.parse(output) as { device: object };
    const wrong = {
      ...good,
      type_uid: 500_100,
      device: { ...good.device, ip: '10.20.0.21:443', type_id: 3, type: 'laptop' },
      observables: undefined,
    };
    const folder = mkdtempSync(join(tmpdir(), 'onefold-ocsf-'));
    const lines = `${JSON.stringify(good)}\n${JSON.stringify(wrong)}\n`;
    writeFileSync(join(folder, 'records.ndjson'), lines);
    // The command as package.json has it, without its build.
    const main = fileURLToPath(new URL('../../libs/ocsf/src/command/main.js', import.meta.url));
    const run = spawnSync(process.execPath, [main, 'lint', 'records.ndjson'], {
      cwd: folder,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    const [command = '', ...shown] = (blocks('console')[0] ?? '').trim().split('\n');
    expect(command).toBe('$ npm run -s ocsf -- lint records.ndjson');
    expect(run.stdout.trim().split('\n')).toEqual(shown);
    expect(run.status).toBe(1);
  });

  it('names the rules that the lint has, and no others', () => {
    const table = page.slice(page.indexOf('| Rule '));
    const named = [...table.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z-]+)`/g)].map(([, rule = '']) => rule),
    );
    const folder = new URL('../../../libs/ocsf/src/', import.meta.url);
    const used = [
      'formats',
      'lint-classes',
      'lint-metadata',
      'lint-observables',
      'lint-record',
      'lint-values',
    ].flatMap((name) => {
      const text = readFileSync(new URL(`${name}.ts`, folder), 'utf8');
      const calls = /(?:error|warning)\(\s*(?:\[[^\]]*\]|[a-z]\w*),\s*'([a-z-]+)'/g;
      return [...text.matchAll(calls)].map(([, rule = '']) => rule);
    });
    expect([...new Set(named)].sort()).toEqual([...new Set(used)].sort());
  });
});
