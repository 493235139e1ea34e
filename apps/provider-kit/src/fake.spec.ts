import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { startFake } from './fake.js';
import { ProviderFolder } from './folders.js';

const command = { port: 0, dataset: 'BASIC', scale: 1 } as const;

describe('the fake of a folder', () => {
  it('listens with the same credentials at every start', async () => {
    const tenable = new ProviderFolder('tenable');
    const [one, other] = await Promise.all([
      startFake(tenable, command),
      startFake(tenable, { ...command, dataset: 'EMPTY' }),
    ]);
    try {
      const [{ secret = '' } = {}] = one.engine.credentials();
      expect(other.engine.credentials()[0]?.secret).toBe(secret);
      const scans = async (url: string) => {
        const answer = await request(`${url}/scans`, { headers: { 'X-APIKeys': secret } });
        expect(answer.statusCode).toBe(200);
        return ((await answer.body.json()) as { scans: unknown[] }).scans;
      };
      expect((await scans(one.url)).length).toBeGreaterThan(0);
      expect(await scans(other.url)).toEqual([]);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });

  it('does not start with faults, which are reported with the file', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'onefold-fakes-'));
    mkdirSync(join(parent, 'acme'));
    writeFileSync(join(parent, 'acme/fake.yaml'), 'fake: acme\nrotues: {}\n');
    const folder = new ProviderFolder('acme', pathToFileURL(`${parent}/`));
    try {
      await expect(startFake(folder, command)).rejects.toThrow(
        /libs\/providers\/acme\/fake.yaml: line 2, column 1: unknown key "rotues"/,
      );
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
});
