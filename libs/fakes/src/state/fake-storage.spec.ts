import { describe, expect, it } from '@jest/globals';
import { MemoryStorage } from './fake-storage.js';

describe('a storage in memory', () => {
  it('is copied with its files, and a copy that drops one leaves it to the other', async () => {
    const storage = new MemoryStorage();
    const { stored_file: id, size } = await storage.files.write(only(Buffer.from('evidence')), 100);
    const copy = storage.copy();
    const readAll = async ({ files }: MemoryStorage) => {
      const parts: Uint8Array[] = [];
      for await (const part of files.read(id, 0, size)) parts.push(part);
      return Buffer.concat(parts).toString();
    };
    expect(await readAll(copy)).toBe('evidence');
    await copy.files.drop(id);
    expect(await readAll(copy)).toBe('');
    expect(await readAll(storage)).toBe('evidence');
  });
});

async function* only(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(chunk);
}
