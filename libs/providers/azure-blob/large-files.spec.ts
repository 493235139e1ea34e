import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LargeFile, OverSystem, uploadOf } from '#test/harness';
import * as client from './client.js';
import { AzureReceiver } from './receiver.fixture.js';

const mebibyte = 1_048_576;
/** A block, and what sockets and streams hold on the way. */
const maxHeldBytes = 12 * mebibyte;
const path = { path: 'large' };

let receiver: AzureReceiver;
let storage: OverSystem;
beforeEach(async () => {
  receiver = await AzureReceiver.start();
  receiver.keepsBlocks = false;
  const credential = { type: 'token', secret: receiver.connectionString };
  storage = new OverSystem(
    new URL('./', import.meta.url),
    'storage_azure_blob',
    { bucket: 'evidence', credential },
    { functions: client },
  );
});
afterEach(async () => {
  await storage.close();
  await receiver.stop();
});

const largeFile = (size: number, breaksAt?: number) =>
  new LargeFile(size, () => receiver.receivedBytes, breaksAt);
const upload = (file: LargeFile, length?: number) =>
  storage.call('storage_upload_file', { path, upload: uploadOf(file.bytes(), length) });

const large = process.env['LARGE_FILES'] === undefined ? 'LARGE_FILES is not set' : undefined;
const sizes = [
  { name: '200 MB', size: 200_000_000, why: undefined },
  { name: '5 GB', size: 5_000_000_000, why: large },
];

describe('large blobs', () => {
  for (const { name, size, why } of sizes) {
    const title = why === undefined ? name : `${name} (skipped: ${why})`;
    const test = why === undefined ? it : it.skip;

    test.each([
      ['known', size],
      ['not known', undefined],
    ])(
      `are sent in bounded memory: ${title}, size %s`,
      async (_known, length) => {
        const file = largeFile(size);
        expect(await upload(file, length)).toEqual({ status: 204, body: {} });
        const digest = { size, sha256: file.hash.digest('hex') };
        expect(receiver.digests.get('large')).toEqual(digest);
        expect(file.maxHeldBytes).toBeLessThan(maxHeldBytes);
      },
      600_000,
    );

    test(`are returned in bounded memory: ${title}`, async () => {
      receiver.made.set('large', size);
      const { file, body } = await storage.call('storage_download_file', { path });
      if (file === undefined) throw new Error(JSON.stringify(body));
      expect(file.headers['content-length']).toBe(String(size));
      let read = 0;
      let heldBytes = 0;
      for await (const chunk of file.content) {
        read += chunk.length;
        // A reader that is slower than the store: what is not held back would pile up.
        if (read % 16 === 0) await turn();
        heldBytes = Math.max(heldBytes, receiver.sentBytes - read);
      }
      expect(read).toBe(size);
      expect(heldBytes).toBeLessThan(maxHeldBytes);
    }, 600_000);
  }

  it('are sent at once if they are smaller than a block, and in blocks otherwise', async () => {
    const calls = () => receiver.requests.splice(0).map(({ query }) => query['comp'] ?? 'blob');
    await upload(largeFile(8 * mebibyte));
    expect(calls()).toEqual(['blob']);
    await upload(largeFile(8 * mebibyte + 1));
    expect(calls()).toEqual(['block', 'block', 'blocklist']);
  });

  it('do not become blobs where the client breaks off', async () => {
    const { status } = await upload(largeFile(30 * mebibyte, 20 * mebibyte));
    expect(status).toBe(400);
    expect([receiver.blobs.size, receiver.digests.size]).toEqual([0, 0]);
  });
});
