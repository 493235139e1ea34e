import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import { OverFake } from '#test/harness';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });

let storage: OverFake;
beforeEach(() => {
  storage = new OverFake(new URL('./', import.meta.url), 'storage_mock_storage', {
    config: { bucket: 'evidence' },
  });
});

const put = (path: string, bytes: Buffer, type = 'application/octet-stream') => {
  const form = new FormData();
  form.set('file', new Blob([bytes], { type }), 'file');
  const { headers, body } = new Response(form);
  const contentType = headers.get('content-type') ?? '';
  return storage.succeed('storage_upload_file', {
    path: { path },
    upload: { contentType, body: body as unknown as AsyncIterable<Uint8Array> },
  });
};
const get = (path: string) => storage.file('storage_download_file', { path: { path } });
const list = async (path: string, limit = 50) =>
  (await storage.pages('storage_list_files', { limit }, { path }))
    .flat()
    .map((one) => one['path'] as string);

describe('files', () => {
  it('of the company are the attachments of its tickets', async () => {
    expect(await list('tickets')).toHaveLength(world.attachments.length);
    expect(await list('tickets', 1)).toEqual(await list('tickets'));
    const [first] = world.attachments;
    const ticket = world.tickets.find(({ key }) => key === first?.ticket);
    const { bytes } = await get(`tickets/${ticket?.number}/${first?.file_name}`);
    expect(bytes.toString()).toBe(first?.content);
  });

  it.each([
    ['any bytes', 'a/b/c.bin', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['nothing', 'a/empty', Buffer.alloc(0)],
    ['a path with other characters', 'ü b/100%/#1?&+;=.txt', Buffer.from('text')],
  ])('of %s are given as they were sent', async (_name, path, bytes) => {
    await put(path, bytes, 'image/png');
    const file = await get(path);
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(file.headers['content-type']).toBe('image/png');
    expect(await list(path.split('/')[0] ?? '')).toContain(path);
  });

  it('are replaced and deleted', async () => {
    await put('folder/one', Buffer.from('first'));
    await put('folder/one', Buffer.from('second'));
    await put('folder-two/one', Buffer.from('other'));
    expect((await get('folder/one')).bytes.toString()).toBe('second');
    expect(await list('folder')).toEqual(['folder/one']);
    await storage.succeed('storage_delete_file', { path: { path: 'folder/one' } });
    expect(await list('folder')).toEqual([]);
    const problem = await storage.refuse('storage_download_file', 404, {
      path: { path: 'folder/one' },
    });
    expect(problem['message']).toContain('has no file folder/one');
    await storage.refuse('storage_delete_file', 404, { path: { path: 'folder/one' } });
  });
});
