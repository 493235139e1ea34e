import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BridgedFiles } from './bridged-files.js';
import { keystream } from './files/keystream.js';
import { digestOf, download, upload } from './files/transfer.js';
import { MemoryGrowth } from './process-memory.js';

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
  let files: BridgedFiles;
  beforeAll(async () => {
    files = await BridgedFiles.start();
  });
  afterAll(() => files.stop());

  /** Expects that no process between caller and provider keeps more of a file than a limited part. */
  async function expectFlat(work: () => Promise<void>): Promise<void> {
    const growth = new MemoryGrowth(files.between);
    await work();
    const grown = growth.bytes;
    if (process.env['LARGE_FILES'] !== undefined) console.log(grown);
    expect(Object.keys(grown)).toHaveLength(4);
    expect(Object.entries(grown).filter(([, bytes]) => !(bytes < maxGrowthBytes))).toEqual([]);
  }

  for (const { name, size, test } of sizes) {
    test(`come whole, in flat memory: ${name}`, async () => {
      await expectFlat(async () => {
        const sha256 = digestOf(keystream(size));
        const got = await download(files.urlOf(`plain/${size}`), files.headers);
        expect(got).toEqual({ status: 200, sha256 });
      });
      expect(await files.seen()).toMatchObject([{ bytes: size, end: 'whole' }]);
    }, 1_800_000);

    test(`go whole, in flat memory: ${name}`, async () => {
      await expectFlat(async () => {
        const sent = await upload(files.urlOf('plain/large'), files.headers, keystream(size));
        expect(sent).toEqual({ status: 204, text: '' });
      });
      const sha256 = digestOf(keystream(size));
      const stored = { method: 'PUT', bytes: size, sha256, end: 'whole' };
      expect(await files.seen()).toMatchObject([stored]);
    }, 1_800_000);
  }
});
