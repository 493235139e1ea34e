import { createHash } from 'node:crypto';
import type { ClientCall, ClientFile, ClientFunction } from '#provider-document';
import { type FilePart, readParts } from '#provider-http';

const mebibyte = 1_048_576;
/** Between 5 MiB and 5 GiB, which S3 sets as limits of parts: large enough for few requests, small enough for memory. */
const minPartBytes = 8 * mebibyte;
const maxPartBytes = 64 * mebibyte;
/** S3 sets 10,000 as the limit of parts. */
const maxParts = 10_000;
/** Parts of a file of unknown size double after so many. */
const partsPerSize = 1_000;

/** Returns its body: a value that later expressions share. */
export const value: ClientFunction = ({ input }) => Promise.resolve(input ?? null);

/** Stores the uploaded file under the key that is its body: at once if it is smaller than a part, or else in parts. */
export const upload: ClientFunction = async ({ file, input, send }) => {
  if (file === undefined || typeof input !== 'string') throw new Error('there is no file or key');
  const path = `/${input.split('/').map(encodeURIComponent).join('/')}`;
  const parts = readParts(file.chunks(), (count) => partBytes(file.size, count));
  const first = (await parts.next()).value as FilePart;
  if (!first.isLast) return await uploadParts(send, path, file, first, parts);
  await send({
    method: 'PUT',
    path,
    body: first.bytes,
    encoding: 'binary',
    answer: 'none',
    headers: { 'content-type': file.type, ...digestOf(first) },
  });
  return null;
};

/**
 * The digest that a bucket with a default retention of Object Lock wants of each object and part:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
function digestOf({ bytes }: FilePart): Record<string, string> {
  return { 'content-md5': createHash('md5').update(bytes).digest('base64') };
}

async function uploadParts(
  send: ClientCall['send'],
  path: string,
  file: ClientFile,
  first: FilePart,
  rest: AsyncIterable<FilePart>,
): Promise<null> {
  const begun = await send({
    method: 'POST',
    path,
    query: { uploads: '' },
    answer: 'text',
    headers: { 'content-type': file.type },
  });
  const uploadId = element(String(begun.body), 'UploadId');
  const tags: string[] = [];
  const sendPart = async (part: FilePart) => {
    const { headers } = await send({
      method: 'PUT',
      path,
      query: { partNumber: tags.length + 1, uploadId },
      headers: digestOf(part),
      body: part.bytes,
      encoding: 'binary',
      answer: 'none',
    });
    tags.push(headers['etag'] ?? '');
  };
  try {
    await sendPart(first);
    for await (const part of rest) await sendPart(part);
    await send({
      method: 'POST',
      path,
      query: { uploadId },
      answer: 'text',
      body: completion(tags),
      encoding: 'binary',
      headers: { 'content-type': 'application/xml' },
    });
  } catch (error) {
    // The error of the upload is the one to report; parts that stay are removed by a lifecycle rule of the bucket.
    await send({
      method: 'DELETE',
      path,
      query: { uploadId },
      answer: 'none',
      cleanUp: true,
    }).catch(() => undefined);
    throw error;
  }
  return null;
}

/** Some stores want parts of equal size, which only files of unknown size above {@link partsPerSize} parts do not have. */
function partBytes(size: number | undefined, count: number): number {
  const wanted =
    size === undefined
      ? minPartBytes * 2 ** Math.floor((count - 1) / partsPerSize)
      : Math.ceil(size / maxParts);
  return Math.min(maxPartBytes, Math.max(minPartBytes, wanted));
}

function completion(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
}

/** Returns the text of an element that has no other elements and no entities. @throws Error if there is none */
function element(xml: string, name: string): string {
  const [, text] = new RegExp(`<${name}>([^<&]+)</${name}>`).exec(xml) ?? [];
  if (text === undefined) throw new Error(`the response has no ${name}`);
  return text;
}
