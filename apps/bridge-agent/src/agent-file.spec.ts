import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAgentFile, readCredential } from './agent-file.js';
import { openAgentKey } from './agent-key.js';
import { proxyOf } from './proxy.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onefold-agent-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'bridge-agent.yaml');
  writeFileSync(path, text);
  return path;
}

describe('the file of a bridge agent', () => {
  it('is read, and names of files in it are relative to it', async () => {
    const path = file(
      'server: https://api.example.com\nkey_file: agent.key\ncredential_file: /run/credential\nallow:\n  - origin: https://jira.internal\n',
    );
    expect(await readAgentFile(path)).toEqual({
      server: 'https://api.example.com',
      key_file: join(folder, 'agent.key'),
      credential_file: '/run/credential',
      allow: [{ origin: 'https://jira.internal' }],
    });
  });

  it('is refused with every fault at its line', async () => {
    const path = file(
      'server: api.example.com\nallow:\n  - origin: https://jira.internal/path\n    methods: [TRACE]\nextra: 1\n',
    );
    for (const part of ['key_file', 'extra', 'methods', 'origin', 'line 1, column 9'])
      await expect(readAgentFile(path)).rejects.toThrow(part);
    const twice = file('server: https://a.example\nkey_file: a\nkey_file: b\nallow: []\n');
    await expect(readAgentFile(twice)).rejects.toThrow('line 3, column 1');
    const missing = readAgentFile(join(folder, 'none.yaml'));
    await expect(missing).rejects.toThrow('cannot be read (ENOENT)');
  });

  it('names where the credential is missing', async () => {
    const settings = await readAgentFile(
      file('server: https://api.example.com\nkey_file: agent.key\nallow: []\n'),
    );
    expect(readCredential(settings, { BRIDGE_CREDENTIAL: ' a.b.c\n' })).toBe('a.b.c');
    expect(() => readCredential(settings, {})).toThrow('BRIDGE_CREDENTIAL');
    expect(() => readCredential(settings, { BRIDGE_CREDENTIAL: 'x' })).toThrow('not valid');
  });
});

describe('the key of a bridge agent', () => {
  it('is made once, for its user alone', () => {
    const path = join(folder, 'new.key');
    const made = openAgentKey(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openAgentKey(path).equals(made)).toBe(true);
    writeFileSync(path, readFileSync(path).subarray(0, 40));
    expect(() => openAgentKey(path)).toThrow('cannot be read');
  });
});

describe('the proxy of a bridge agent', () => {
  const server = new URL('https://api.example.com');
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128'],
    [{ https_proxy: 'http://proxy:3128' }, 'http://proxy:3128'],
    [{ HTTP_PROXY: 'http://proxy:3128' }, undefined],
    [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'a.org, .example.com' }, undefined],
    [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'ample.com' }, 'http://proxy:3128'],
    [{ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' }, undefined],
  ])('is, with %j: %s', (environment, proxy) => {
    expect(proxyOf(server, environment)).toBe(proxy);
  });
});
