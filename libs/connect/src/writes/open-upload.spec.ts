import { expect, it } from '@jest/globals';
import { openUpload } from './open-upload.js';

const boundary = 'xyz';

/** A request whose body comes in pieces, and how many of its bytes were read. */
function upload(pieces: Iterable<string>) {
  const read = { bytes: 0 };
  async function* body() {
    for (const piece of pieces) {
      read.bytes += piece.length;
      yield Buffer.from(piece);
    }
  }
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return { read, call: { path: {}, upload: { contentType, body: body() } } as never };
}

function* repeated(text: string, times: number): Generator<string> {
  for (let count = 0; count < times; count += 1) yield text;
}

const field = `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`;

it('thousands of fields in front of the file are a 400, long before their end', async () => {
  const { read, call } = upload(repeated(field.repeat(10), 1_000));
  await expect(openUpload(call)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('more than 20 fields'),
  });
  expect(read.bytes).toBeLessThan(100 * 10 * field.length);
});

it('headers of a part that never end are a 400, long before their end', async () => {
  function* pieces() {
    yield `--${boundary}\r\ncontent-disposition: form-data; name="file"\r\n`;
    yield* repeated(`x-header: ${'x'.repeat(1_000)}\r\n`, 5_000);
  }
  const { read, call } = upload(pieces());
  await expect(openUpload(call)).rejects.toMatchObject({ status: 400 });
  expect(read.bytes).toBeLessThan(500_000);
});
