import { Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';

/** More would be no answer, but an attack. */
const maxCodings = 3;

/** A body that arrived in a content coding which cannot be decoded here. */
export class UnknownCoding extends Error {
  override readonly name = 'UnknownCoding';

  constructor(readonly coding: string) {
    super(`the response is compressed as ${coding}, which cannot be read`);
  }
}

/**
 * Returns the decoded body as a stream; undefined where there is nothing to decode. Servers compress unasked, name codings that are
 * not codings, such as "utf-8", and say gzip of what a proxy has decoded: the first bytes decide then.
 * @param header the header Content-Encoding
 * @throws UnknownCoding
 */
export function decodedContent(bytes: Buffer, header: string): Readable | undefined {
  const codings = header
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  if (codings.length > maxCodings) throw new UnknownCoding(header.slice(0, 100));
  // The bytes are those of the last of several codings.
  const begin = codings.length === 1 ? bytes : undefined;
  const decoders = codings.reverse().flatMap((coding) => decoderOf(coding, begin) ?? []);
  if (decoders.length === 0 || bytes.length === 0) return undefined;
  return decoders.reduce<Readable>(
    (from, to) => {
      from.on('error', (error) => to.destroy(error));
      return from.pipe(to);
    },
    Readable.from([bytes]),
  );
}

/** True for what begins as gzip does, which no text does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function decoderOf(coding: string, begin: Buffer | undefined): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return begin === undefined || isGzip(begin) ? zlib.createGunzip() : undefined;
    case 'deflate': // With the frame of zlib, and without it.
      return begin === undefined || isZlib(begin) ? zlib.createInflate() : zlib.createInflateRaw();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return zstdDecoder();
    case 'compress':
    case 'x-compress':
      throw new UnknownCoding(coding);
    default:
      return undefined;
  }
}

/** @throws UnknownCoding before Node 22.15, which has none */
function zstdDecoder(): Transform {
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress === undefined) throw new UnknownCoding('zstd');
  return createZstdDecompress();
}

function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
