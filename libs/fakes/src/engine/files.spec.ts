import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../serve/fake-server.js';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';
import { MemoryFiles, partBytes } from '../state/fake-files.js';
import { MemoryStorage } from '../state/fake-storage.js';

/** Room for the files of the tests, which are of 2 MB and less, and for no more than 5 MB. */
const storage = new MemoryStorage(new MemoryFiles(5 * partBytes));
const fake = new TestFake(
  `
fake: acme
${errorsOfTests.trimEnd()}
  too_large: { status: 413, message: '{this.error.detail}' }
  bad_range: { status: 416, message: no such range, headers: { Content-Range: this.error.detail } }
collections:
  files: { id: this.path }
routes:
  GET /files/{+path}:
    with: { file: { from: files, id: this.path.path, missing: not_found } }
    encoding: file
    body: root = this.with.file.content
  GET /text: { encoding: file, body: 'root = "0123456789"' }
  PUT /files/{+path}:
    input: { kind: file, max_bytes: 3000000 }
    checks: { that: this.path.path != "forbidden", error: conflict }
    put: files
    id: this.path.path
    row: 'root = {"path": this.path.path, "content": this.body}'
    body: root = this.result.row.content
`,
  { storage },
);
const server = new FakeServer({ engine: fake.engine } as never);
let url: string;
beforeAll(async () => {
  url = await server.listen(0);
});
afterAll(() => server.close());

const bytes = Buffer.alloc(2 * partBytes + 5, 'abcdefg');
const put = (path: string, body: Buffer) =>
  fetch(`${url}${path}`, { method: 'PUT', body: new Uint8Array(body) });
const get = async (path: string, range?: string) => {
  const answer = await fetch(`${url}${path}`, { headers: range === undefined ? {} : { range } });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
};

describe('files', () => {
  it('are kept beside the records, which refer to them', async () => {
    const answer = await put('/files/a', bytes);
    const kept = (await answer.json()) as { stored_file: string };
    expect(kept).toEqual({
      stored_file: expect.any(String),
      size: bytes.length,
      md5: 'b3eea6e23c74a396cbe049f6dd63f131',
    });
    const { status, headers, body } = await get('/files/a');
    expect([status, headers['content-length'], headers['accept-ranges']]).toEqual([
      200,
      String(bytes.length),
      'bytes',
    ]);
    expect(body.equals(bytes)).toBe(true);
  });

  it('and texts are written by ranges over their parts', async () => {
    const [start, end] = [partBytes - 3, partBytes + 4];
    const part = await get('/files/a', `bytes=${start}-${end - 1}`);
    expect([part.status, part.headers['content-range'], part.body.toString()]).toEqual([
      206,
      `bytes ${start}-${end - 1}/${bytes.length}`,
      bytes.subarray(start, end).toString(),
    ]);
    expect((await get('/text', 'bytes=-3')).body.toString()).toBe('789');
    // Several ranges, and other units, are ignored.
    for (const range of ['bytes=0-1,3-4', 'bytes=-', 'rows=1-2', 'bytes=4-2'])
      expect([range, (await get('/text', range)).status]).toEqual([range, 200]);
    for (const range of ['bytes=10-', 'bytes=-0', 'bytes=99-100']) {
      const { status, headers } = await get('/text', range);
      expect([range, status, headers['content-range']]).toEqual([range, 416, 'bytes */10']);
    }
  });

  it('that are too large or refused are dropped', async () => {
    const { files } = storage;
    const dropped: string[] = [];
    const drop = files.drop.bind(files);
    files.drop = (id) => {
      dropped.push(id);
      return drop(id);
    };
    expect((await put('/files/b', Buffer.alloc(3_000_001))).status).toBe(413);
    expect((await get('/files/b')).status).toBe(404);
    expect(dropped).toHaveLength(1);
    expect((await put('/files/forbidden', bytes)).status).toBe(409);
    expect(dropped).toHaveLength(2);
    await put('/files/a', Buffer.from('new'));
    expect(dropped).toHaveLength(3);
    expect((await get('/files/a')).body.toString()).toBe('new');
  });

  it('have room together for a number of bytes, which are free again when a file is deleted', async () => {
    expect((await put('/files/a', bytes)).status).toBe(200);
    expect((await put('/files/b', bytes)).status).toBe(200);
    const refused = await put('/files/c', bytes);
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { message: expect.stringContaining(`at most ${5 * partBytes} bytes: delete some of them`) },
    ]);
    expect((await get('/files/c')).status).toBe(404);
    expect((await get('/files/a')).body.equals(bytes)).toBe(true);
    // A refused file takes no room, and neither does a replaced one.
    expect((await put('/files/a', Buffer.from('small'))).status).toBe(200);
    expect((await put('/files/c', bytes)).status).toBe(200);
  });
});
