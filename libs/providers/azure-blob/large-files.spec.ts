import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LargeFile,
  largeSizes,
  maxHeldBytes,
  mebibyte,
  OverSystem,
  readSlowly,
  uploadOf,
} from '#test/harness';
import * as client from './client.js';
import { AzureReceiver } from './receiver.fixture.js';

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

describe('large blobs', () => {
  for (const { name, size, isSkipped } of largeSizes) {
    const test = isSkipped ? it.skip : it;

    test.each([
      ['known', size],
      ['not known', undefined],
    ])(
      `are sent in bounded memory: ${name}, size %s`,
      async (_known, length) => {
        const file = largeFile(size);
        expect(await upload(file, length)).toEqual({ status: 204, body: {} });
        const digest = { size, sha256: file.hash.digest('hex') };
        expect(receiver.digests.get('large')).toEqual(digest);
        expect(file.maxHeldBytes).toBeLessThan(maxHeldBytes);
      },
      600_000,
    );

    test(`are returned in bounded memory: ${name}`, async () => {
      receiver.made.set('large', size);
      const { file, body } = await storage.call('storage_download_file', { path });
      if (file === undefined) throw new Error(JSON.stringify(body));
      expect(file.headers['content-length']).toBe(String(size));
      const taken = await readSlowly(file.content, () => receiver.sentBytes);
      expect(taken.readBytes).toBe(size);
      expect(taken.maxHeldBytes).toBeLessThan(maxHeldBytes);
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
