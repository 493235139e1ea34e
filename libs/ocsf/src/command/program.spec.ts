import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findPointerLines, lineOf } from './pointer-lines.js';
import { program } from './program.js';

const flow = {
  activity_id: 6,
  category_uid: 4,
  class_uid: 4001,
  type_uid: 400_106,
  severity_id: 1,
  time: 1_795_000_000_000,
  metadata: { version: '1.8.0', uid: 'm', product: { name: 'VPC', vendor_name: 'AWS' } },
  src_endpoint: { ip: '10.20.0.21' },
};
const wrong = { ...flow, type_uid: 400_100, src_endpoint: { ip: '10.20.0.21:80' } };
const warned = { ...flow, severity: 'Info' };

const files: Record<string, string> = {
  'good.json': JSON.stringify(flow),
  'wrong.json': JSON.stringify([flow, wrong], null, 2),
  'lines.ndjson': `${JSON.stringify(flow)}\n\n${JSON.stringify(wrong)}\n`,
  'warned.json': JSON.stringify(warned),
  'cut.ndjson': `${JSON.stringify(flow)}\n{"a":`,
  'text.txt': 'hello',
  'empty.json': '\n',
  '-': JSON.stringify(wrong),
};

async function call(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await program(args, {
    read: (file) => Promise.resolve(files[file]),
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  });
  return { code, out, err };
}

describe('npm run -s ocsf', () => {
  it('is quiet about good records', async () => {
    expect(await call('lint', 'good.json')).toEqual({
      code: 0,
      out: ['1 record, 0 errors, 0 warnings'],
      err: [],
    });
  });

  it('names line, record and pointer in an array', async () => {
    const { code, out } = await call('lint', 'wrong.json');
    expect(code).toBe(1);
    const lines = files['wrong.json']?.split('\n') ?? [];
    const at = (text: string) => lines.findLastIndex((line) => line.includes(text)) + 1;
    expect(out).toEqual([
      `wrong.json:${at('"type_uid"')}: error in record 2 at /type_uid: type_uid must be class_uid × 100 + activity_id: 400106, not 400100 (type-uid)`,
      `wrong.json:${at('"ip"')}: error in record 2 at /src_endpoint/ip: "10.20.0.21:80" is not an IP address without port, mask or brackets (format)`,
      '2 records, 2 errors, 0 warnings',
    ]);
  });

  it('reads a record per line, and standard input', async () => {
    const { code, out } = await call('lint', 'lines.ndjson');
    expect(code).toBe(1);
    expect(out[0]).toMatch(/^lines\.ndjson:3: error in record 2 at \/type_uid: /);
    expect((await call('lint', '-')).out[0]).toMatch(/^standard input:1: error at \/type_uid: /);
  });

  it('passes with warnings unless it is strict', async () => {
    const { code, out } = await call('lint', 'warned.json');
    expect(code).toBe(0);
    expect(out[0]).toBe(
      'warned.json:1: warning at /severity: the caption of severity_id 1 is "Informational", not "Info" (caption)',
    );
    expect((await call('lint', 'warned.json', '--strict')).code).toBe(1);
    expect((await call('lint', 'good.json', '--strict')).code).toBe(0);
  });

  it('holds records against a class', async () => {
    expect((await call('lint', 'good.json', '--class', '4001')).code).toBe(0);
    expect((await call('lint', 'good.json', '--class', 'Authentication')).code).toBe(1);
  });

  it.each([
    [['lint', 'none.json'], 'none.json: the file does not exist'],
    [['lint', 'text.txt'], /^text\.txt: .*not valid JSON/],
    [['lint', 'cut.ndjson'], /^cut\.ndjson: line 2 is not valid JSON/],
    [['lint', 'empty.json'], 'empty.json: there is no record'],
    [['lint', 'good.json', '--class', 'x'], /^good\.json: unknown class "x"/],
    [[], /^a command is missing\n\nnpm run -s ocsf/],
    [['check', 'good.json'], /^unknown command check/],
    [['lint'], /^lint needs a file/],
    [['lint', 'good.json', 'wrong.json'], /^lint takes one file/],
    [['lint', 'good.json', '--wrong'], /--wrong/],
  ] as [string[], string | RegExp][])('exits with 2 for %j', async (args, message) => {
    const { code, out, err } = await call(...args);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err.join('\n')).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('runs as a program', () => {
    const main = fileURLToPath(new URL('./main.js', import.meta.url));
    const run = spawnSync(process.execPath, [main, 'lint', '-'], {
      input: files['lines.ndjson'] ?? '',
      encoding: 'utf8',
    });
    expect({ code: run.status, err: run.stderr }).toEqual({ code: 1, err: '' });
    expect(run.stdout).toContain('2 records, 2 errors, 0 warnings');
  });
});

describe('lines of values', () => {
  it('finds each value, through escapes, lists and nested objects', () => {
    const text = '{\n "a": [1,\n  {"b/c": "x\\"}",\n   "d~": null}],\n "e": {}\n}';
    expect(Object.fromEntries(findPointerLines(text))).toEqual({
      '': 1,
      '/a': 2,
      '/a/0': 2,
      '/a/1': 3,
      '/a/1/b~1c': 3,
      '/a/1/d~0': 4,
      '/e': 5,
    });
    expect(lineOf(findPointerLines(text), '/a/1/missing/deep')).toBe(3);
  });
});
