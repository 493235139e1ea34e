import { randomUUID } from 'node:crypto';
import type { ClientFunction } from '#provider-document';
import { type FilePart, readParts } from '#provider-http';

const mebibyte = 1_048_576;
const minBlockBytes = 8 * mebibyte;
const maxBlockBytes = 64 * mebibyte;
/** Blocks of a file double in size after so many, so that a large one needs no more than 10,000. */
const blocksPerSize = 1_000;

/** Returns its body: a value that later expressions share. */
export const value: ClientFunction = ({ input }) => Promise.resolve(input ?? null);

/**
 * Stores the uploaded file as the container and name that are its body: at once if it is smaller than a block, or else in blocks, which become the blob
 * together at the end. Blocks of an upload that fails are never visible, and Azure removes them after a week.
 */
export const upload: ClientFunction = async ({ file, input, send }) => {
  if (file === undefined || typeof input !== 'string') throw new Error('there is no file or name');
  const path = `/${input.split('/').map(encodeURIComponent).join('/')}`;
  const blocks = readParts(file.chunks(), blockBytes);
  const first = (await blocks.next()).value as FilePart;
  const put = { method: 'PUT', path, encoding: 'binary', answer: 'none' } as const;
  if (first.isLast) {
    const headers = { 'content-type': file.type, 'x-ms-blob-type': 'BlockBlob' };
    await send({ ...put, body: first.bytes, headers });
    return null;
  }
  // Uploads to the same blob share its blocks: the name of the upload keeps theirs apart. All ids of a blob have the same length.
  const own = randomUUID();
  const ids: string[] = [];
  const sendBlock = async ({ bytes }: FilePart) => {
    const id = Buffer.from(`${own}-${String(ids.length).padStart(6, '0')}`).toString('base64');
    await send({ ...put, body: bytes, query: { comp: 'block', blockid: id } });
    ids.push(id);
  };
  await sendBlock(first);
  for await (const block of blocks) await sendBlock(block);
  const list = ids.map((id) => `<Latest>${id}</Latest>`).join('');
  await send({
    ...put,
    body: `<BlockList>${list}</BlockList>`,
    query: { comp: 'blocklist' },
    headers: { 'content-type': 'application/xml', 'x-ms-blob-content-type': file.type },
  });
  return null;
};

function blockBytes(block: number): number {
  return Math.min(maxBlockBytes, minBlockBytes * 2 ** Math.floor((block - 1) / blocksPerSize));
}
