import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeDesk } from './desk.fixture.js';
import { ProviderFolder } from './folders.js';
import { liveOf, startLiveFake } from './live.js';
import { planOf } from './plan.js';
import { record } from './record.js';

describe('recording from a live system', () => {
  let path: string;
  let folder: ProviderFolder;
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
    folder = writeDesk(pathToFileURL(`${path}/`));
  });
  afterAll(() => rmSync(path, { recursive: true }));

  const file = (text: string) => {
    const name = join(path, 'live.yaml');
    writeFileSync(name, text);
    return name;
  };
  const token = '{ type: token, secret: secret-of-nobody }';

  it.each([
    ['nothing', 'forbidden: {}', /has no configuration: .* type: ticketing_desk/],
    ['no YAML', 'configuration: [', /live\.yaml: .*at line 1/],
    [
      'an invalid configuration',
      `configuration: { type: ticketing_disk, url: 1, credential: { type: basic } }`,
      /configuration\.type [^]*configuration\.url [^]*configuration\.credential\.type /,
    ],
    [
      'a missing field',
      'configuration: { type: ticketing_desk }',
      /configuration\.credential is required/,
    ],
  ])('refuses a file with %s', (_what, text, message) => {
    expect(() => liveOf(folder, file(text))).toThrow(message);
  });

  it.each([
    [
      'an address that does not answer',
      `configuration: { type: ticketing_desk, url: 'http://127.0.0.1:9', credential: ${token} }`,
      'http://127.0.0.1:9 cannot be reached',
    ],
    [
      'a secret that is too short to be found',
      `configuration: { type: ticketing_desk, url: 'http://127.0.0.1:9', credential: { type: token, secret: abc } }`,
      'credential.secret has 3 letters',
    ],
  ])('reports %s', async (_what, text, message) => {
    await expect(record(folder, liveOf(folder, file(text)), () => undefined)).rejects.toThrow(
      message,
    );
  });

  it('has a fake as a live system, with somebody who may do less', async () => {
    const { live, stop } = await startLiveFake(new ProviderFolder('jira'));
    try {
      const { url, credential, ...others } = live.configuration;
      expect(others).toMatchObject({ type: 'ticketing_jira', default_project: 'ITS' });
      const { username, secret } = credential as Record<string, string>;
      expect(live.forbidden?.['secret']).not.toBe(secret);
      const read = () => {
        const basic = Buffer.from(`${username}:${secret}`).toString('base64');
        const headers = { authorization: `Basic ${basic}` };
        return fetch(`${String(url)}/rest/api/3/myself`, { headers });
      };
      expect((await read()).status).toBe(200);
      await live.fail?.(429);
      expect((await read()).headers.get('retry-after')).toBe('900');
      await live.fail?.(403);
      expect((await read()).status).toBe(403);
    } finally {
      await stop();
    }
  });

  it('reports a missing file, fake or plan', async () => {
    expect(() => liveOf(folder, '/nowhere.yaml')).toThrow(
      'the file does not exist; it must contain',
    );
    await expect(startLiveFake(folder)).rejects.toThrow(
      'record from the live system with --config',
    );
    const other = new ProviderFolder('nothing', pathToFileURL(`${path}/`));
    expect(() => planOf(other)).toThrow('fixtures/record.yaml: the file does not exist');
    writeFileSync(
      new URL('fixtures/record.yaml', folder.url),
      'calls: [{ operation: ticketing_list_project }]',
    );
    expect(() => planOf(folder)).toThrow('calls ticketing_list_project, which is not an operation');
  });
});
