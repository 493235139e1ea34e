import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Problem } from '#contract';
import { type Between, BridgedFiles } from './bridged-files.js';
import { keystream } from './files/keystream.js';
import { digestOf, download, upload } from './files/transfer.js';
import { MemoryGrowth } from './process-memory.js';

const mebibyte = 1_048_576;
const isLarge = process.env['LARGE_FILES'] !== undefined;
/** `npm run proof -- bridge` sets LARGE_FILES: then it is 1 GB. */
const size = (isLarge ? 1_024 : 24) * mebibyte;
/** More than a process grows, and far less than a file. Small files say nothing about memory; bridge-files measures it with 64 MB. */
const maxGrowthBytes = 64 * mebibyte;
const testMs = isLarge ? 1_800_000 : 300_000;

let files: BridgedFiles;
let sha256: string;

beforeAll(async () => {
  files = await BridgedFiles.start();
  sha256 = digestOf(keystream(size));
}, 120_000);
beforeEach(() => files.restore(), 120_000);
afterAll(() => files.stop());

/** Lets so many transfers wait for each other, and then for an action, before they go on. */
function meet(transfers: number, act: () => Promise<void>): () => Promise<void> {
  let missing = transfers;
  let start: () => void = () => undefined;
  const acted = new Promise<void>((resolve) => (start = resolve)).then(act);
  return () => {
    missing -= 1;
    if (missing === 0) start();
    return acted;
  };
}

/** Expects that no process that is still there has grown by much, where the files are large. */
function expectFlat(what: string, growth: MemoryGrowth): void {
  if (!isLarge) return;
  const { bytes } = growth;
  console.log(what, bytes);
  expect(Object.keys(bytes).length).toBeGreaterThanOrEqual(3);
  expect(Object.entries(bytes).filter(([, grown]) => !(grown < maxGrowthBytes))).toEqual([]);
}

/** Kills a process when half of a file has come and half of another one has gone. @returns what the callers see */
async function killAmidFiles(victim: Between) {
  const atHalf = meet(2, () => files.kill(victim));
  const url = files.urlOf(`plain/${size}`);
  let isPast = false;
  const coming = download(url, files.headers, async (bytes) => {
    if (isPast || bytes < size / 2) return;
    isPast = true;
    await atHalf();
  });
  async function* halves(): AsyncGenerator<Buffer> {
    let bytes = 0;
    for (const chunk of keystream(size)) {
      if (bytes === size / 2) await atHalf();
      bytes += chunk.length;
      yield chunk;
    }
  }
  const going = upload(files.urlOf('plain/large'), files.headers, halves()).catch(
    (error: NodeJS.ErrnoException) => ({ status: undefined, text: error.code ?? '' }),
  );
  const [got, sent] = await Promise.all([coming, going]);
  return { got, sent };
}

describe(`files of ${size / mebibyte} MB through a bridge`, () => {
  it.each<Between>(['agent', 'connector', 'gateway of the caller', 'gateway of the agent'])(
    'break off where the %s is killed, and are whole when they are sent again',
    async (victim) => {
      const whileKilled = new MemoryGrowth(files.between);
      const { got, sent } = await killAmidFiles(victim);
      expect(got).toEqual({ status: 200 }); // Without the digest of a file that is whole.
      if (victim === 'gateway of the caller') expect(sent).toMatchObject({ status: undefined });
      else {
        const { detail, remediation, message } = JSON.parse(sent.text) as Problem;
        expect([sent.status, `${message} ${detail}`, remediation]).toEqual([
          503,
          expect.stringContaining('outcome is unknown'),
          expect.any(String),
        ]);
      }
      const broken = await files.seen();
      expect(broken.map(({ method, end, sha256: digest }) => [method, end, digest]).sort()).toEqual(
        [
          ['GET', 'broken', undefined],
          ['PUT', 'broken', undefined],
        ],
      );
      expectFlat(`${victim} killed`, whileKilled);

      await files.replace(victim);
      await files.warm();
      const whileRepeated = new MemoryGrowth(files.between);
      const again = await download(files.urlOf(`plain/${size}`), files.headers);
      expect(again).toEqual({ status: 200, sha256 });
      const stored = await upload(files.urlOf('plain/large'), files.headers, keystream(size));
      expect(stored).toEqual({ status: 204, text: '' });
      expect(await files.seen()).toMatchObject([
        { method: 'GET', bytes: size, end: 'whole' },
        { method: 'PUT', bytes: size, end: 'whole', sha256 },
      ]);
      expectFlat(`repeated after ${victim}`, whileRepeated);
    },
    testMs,
  );
});
