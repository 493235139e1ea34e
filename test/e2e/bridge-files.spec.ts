import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allowed, createGroup, startAgent } from './bridge-agents.js';
import { filesDocument } from './files/document.js';
import { keystream } from './files/keystream.js';
import type { Seen } from './files/storage.js';
import { digestOf, download, upload } from './files/transfer.js';
import { type Onefold, startDistributed } from './onefold.js';
import { type Running, startNode } from './processes.js';

const mebibyte = 1_048_576;
/** More than a process may grow, whatever the size of the file: less than the smallest file, so that one that keeps it fails. */
const maxGrowthBytes = 48 * mebibyte;
const sizes = [
  { name: '64 MB', size: 64 * mebibyte, test: it },
  process.env['LARGE_FILES'] === undefined
    ? { name: '1 GB (skipped: LARGE_FILES is not set)', size: 1_024 * mebibyte, test: it.skip }
    : { name: '1 GB', size: 1_024 * mebibyte, test: it },
];

describe('files through a bridge', () => {
  let onefold: Onefold;
  let storage: Running;
  let agent: Running;
  let address: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    storage = startNode([fileURLToPath(new URL('files/storage.js', import.meta.url))]);
    onefold = await startDistributed({}, { worker: false });
    [, address = ''] = await storage.says(/at (http:\S+)/);
    const { api } = onefold;
    await api.call('customs_create', { body: { data: filesDocument } });
    const { account } = (await api.call('accounts_create', { body: {} })).result;
    const { id, credential } = await createGroup(api, account.id);
    agent = startAgent(api.url, credential, { allow: allowed(address) });
    const { result } = await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        provider_config: {
          ...{ type: 'custom_files', url: address },
          credential: { type: 'token', secret: 'storage-secret-key' },
        } as never,
        bridge_selector: { type: 'id', value: id },
      },
    });
    headers = { authorization: `Bearer ${result.token.access.secret}` };
    await agent.says(/"message":"connected"/);
    // Memory of a warm process is not the cost of a file.
    for (let round = 0; round < 4; round += 1) {
      await download(urlOf(`plain/${mebibyte}`), headers);
      await upload(urlOf('plain/warm'), headers, keystream(mebibyte));
    }
    await seen();
  });
  afterAll(async () => {
    await agent.stop();
    await onefold.stop();
    await storage.stop();
  });

  const urlOf = (path: string) => `${onefold.api.url}/v1/storage/files/${path}`;
  /** Returns the requests of the storage since the last call. */
  const seen = async () => (await (await fetch(`${address}/_seen`)).json()) as Seen[];

  /** Expects that no process between caller and provider keeps more of a file than a limited part. */
  async function expectFlat(work: () => Promise<void>): Promise<void> {
    const { gateway, connector } = onefold.processes;
    const between = Object.entries({ agent, gateway, connector });
    const before = between.map(([, one]) => resetPeak(one));
    await work();
    const grown = between.map(([name, one], index) => ({
      name,
      grownBytes: memoryOf(one, 'VmHWM') - (before[index] ?? 0),
    }));
    if (process.env['LARGE_FILES'] !== undefined) console.log(grown);
    expect(grown.filter(({ grownBytes }) => !(grownBytes < maxGrowthBytes))).toEqual([]);
  }

  for (const { name, size, test } of sizes) {
    test(`come whole, in flat memory: ${name}`, async () => {
      await expectFlat(async () => {
        const sha256 = digestOf(keystream(size));
        const got = await download(urlOf(`plain/${size}`), headers);
        expect(got).toEqual({ status: 200, sha256 });
      });
      expect(await seen()).toMatchObject([{ bytes: size, end: 'whole' }]);
    }, 600_000);

    test(`go whole, in flat memory: ${name}`, async () => {
      await expectFlat(async () => {
        const sent = await upload(urlOf('plain/large'), headers, keystream(size));
        expect(sent).toEqual({ status: 204, text: '' });
      });
      const sha256 = digestOf(keystream(size));
      expect(await seen()).toMatchObject([{ method: 'PUT', bytes: size, sha256, end: 'whole' }]);
    }, 600_000);
  }
});

/** Lets the peak of a process be that from now on, because that of its start hides others. @returns its resident memory */
function resetPeak(running: Running | undefined): number {
  writeFileSync(`/proc/${running?.child.pid}/clear_refs`, '5');
  return memoryOf(running, 'VmRSS');
}

/** The resident memory of a process in bytes, now or at its peak. */
function memoryOf(running: Running | undefined, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${running?.child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024;
}
