import { unpackedLength } from '../../language/limits.js';
import { createCipheriv, createDecipheriv, type CipherGCM, type DecipherGCM } from 'node:crypto';
import {
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Run } from '../../language/run.js';
import { LimitError, RunError } from '../../language/run-error.js';
import type { Method, Parameter } from '../../language/specification.js';
import type { Value } from '../../language/values.js';
import { damaged } from './lz.js';
import { compressLz4, decompressLz4 } from './lz4.js';
import { compressSnappy, decompressSnappy } from './snappy.js';
import { bytesOf, textOf } from '../text.js';
import { flat } from '../costs.js';

interface Codec {
  compress: (bytes: Buffer, level: number, run: Run) => Buffer;
  decompress: (bytes: Buffer, run: Run) => Buffer;
}

type ZlibCodec = (bytes: Buffer, options: ZlibOptions) => Buffer;

/**
 * Steps and bytes of a codec that fails: Node makes an error with a stack, and keeps the codec until the event loop turns, which is
 * after the run.
 */
const [failedSteps, failedBytes] = [400, 20_000];

/** A codec of Node's, which ends as soon as what it makes is longer than a text may be. */
function ofNode(compress: ZlibCodec, decompress: ZlibCodec): Codec {
  const capped = (codec: ZlibCodec, bytes: Buffer, run: Run, options: ZlibOptions): Buffer => {
    try {
      const made = codec(bytes, { ...options, maxOutputLength: unpackedLength(run.limits) });
      // A short result is the beginning of a buffer of 16 KB, which it would keep.
      return made.length < made.buffer.byteLength / 2 ? Buffer.from(made) : made;
    } catch (error) {
      run.spend(failedSteps);
      run.hold(failedBytes);
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw new LimitError(
          'size',
          `what comes out of the compression is longer than ${unpackedLength(run.limits)}`,
        );
      throw damaged((error as Error).message);
    }
  };
  return {
    compress: (bytes, level, run) => capped(compress, bytes, run, { level }),
    decompress: (bytes, run) => capped(decompress, bytes, run, {}),
  };
}

const codecs: ReadonlyMap<string, Codec> = new Map([
  ['flate', ofNode(deflateRawSync, inflateRawSync)],
  ['gzip', ofNode(gzipSync, gunzipSync)],
  ['lz4', { compress: compressLz4, decompress: decompressLz4 }],
  ['pgzip', ofNode(gzipSync, gunzipSync)],
  ['snappy', { compress: compressSnappy, decompress: decompressSnappy }],
  ['zlib', ofNode(deflateSync, inflateSync)],
]);

function codecOf(name: Value): Codec {
  const found = codecs.get(textOf(name));
  if (found) return found;
  throw new RunError(
    `unknown compression ${textOf(name).slice(0, 60)}: use one of ${[...codecs.keys()].join(', ')}`,
  );
}

const tagLength = 16;
const blockLength = 16;
const nonceLength = 12;

function cipherName(mode: Value, key: Buffer, iv: Buffer): string {
  const name = textOf(mode);
  if (!['ctr', 'gcm', 'ofb', 'cbc'].includes(name))
    throw new RunError(`unknown AES scheme ${name.slice(0, 60)}: use one of ctr, gcm, ofb, cbc`);
  if (![16, 24, 32].includes(key.length))
    throw new RunError(`an AES key has 16, 24 or 32 bytes, this one ${key.length}`);
  const wanted = name === 'gcm' ? nonceLength : blockLength;
  if (iv.length !== wanted)
    throw new RunError(
      `the initialization vector of ${name} has ${wanted} bytes, this one ${iv.length}`,
    );
  return `aes-${key.length * 8}-${name}`;
}

function encrypt([mode, keyText, ivText]: readonly Value[], plain: Buffer): Buffer {
  const [key, iv] = [bytesOf(keyText), bytesOf(ivText)];
  const name = cipherName(mode, key, iv);
  if (mode === 'cbc' && plain.length % blockLength !== 0)
    throw new RunError('plaintext is not a multiple of the block size');
  const cipher = createCipheriv(name, key, iv).setAutoPadding(false);
  const parts = [cipher.update(plain), cipher.final()];
  if (mode === 'gcm') parts.push((cipher as CipherGCM).getAuthTag());
  return Buffer.concat(parts);
}

function decrypt([mode, keyText, ivText]: readonly Value[], secret: Buffer): Buffer {
  const [key, iv] = [bytesOf(keyText), bytesOf(ivText)];
  const name = cipherName(mode, key, iv);
  if (mode === 'cbc' && secret.length % blockLength !== 0)
    throw new RunError('ciphertext is not a multiple of the block size');
  if (mode === 'gcm' && secret.length < tagLength)
    throw new RunError('the ciphertext is shorter than its authentication tag');
  const decipher = createDecipheriv(name, key, iv).setAutoPadding(false);
  const end = mode === 'gcm' ? secret.length - tagLength : secret.length;
  if (mode === 'gcm') (decipher as DecipherGCM).setAuthTag(secret.subarray(end));
  try {
    return Buffer.concat([decipher.update(secret.subarray(0, end)), decipher.final()]);
  } catch {
    throw new RunError('the ciphertext was changed or the key is another');
  }
}

const aes: readonly Parameter[] = [
  { name: 'scheme', type: 'string' },
  { name: 'key', type: 'string' },
  { name: 'iv', type: 'string' },
];

export const codecMethods: readonly Method[] = [
  {
    name: 'compress',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 60, steps: 200, own: 'size' },
    check: ([name]) => void codecOf(name),
    description:
      'Compresses with flate, gzip, pgzip or zlib, at a level from -1 (usual) to 9, or with lz4 or snappy.',
    parameters: [
      { name: 'algorithm', type: 'string' },
      { name: 'level', type: 'integer', default: -1 },
    ],
    examples: [['root = this.compress("zlib").decompress("zlib").string()', '"hello"', '"hello"']],
    run: (target, [name, level], run) => {
      const codec = codecOf(name);
      if (Number(level) < -1 || Number(level) > 9)
        throw new RunError(`a compression level is from -1 to 9, not ${textOf(level)}`);
      const bytes = bytesOf(target);
      run.spend(bytes.length >> 4);
      const packed = codec.compress(bytes, Math.trunc(Number(level)), run);
      run.string(packed.length);
      return packed;
    },
  },
  {
    name: 'decompress',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 60, steps: 200, own: 'size' },
    check: ([name]) => void codecOf(name),
    description:
      'Bytes out of flate, gzip, pgzip, zlib, lz4 or snappy, as many as a text may have.',
    parameters: [{ name: 'algorithm', type: 'string' }],
    examples: [
      [
        'root = this.decode("hex").decompress("zlib").string()',
        '"789ccb48cdc9c90700062c0215"',
        '"hello"',
      ],
    ],
    run: (target, [name], run) => {
      const codec = codecOf(name);
      const bytes = bytesOf(target);
      run.spend(bytes.length >> 4);
      const plain = codec.decompress(bytes, run);
      run.string(plain.length);
      return plain;
    },
  },
  {
    name: 'encrypt_aes',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 10, steps: 100, own: 'size' },
    description: 'Encrypts with AES as ctr, gcm (its tag at the end), ofb or cbc (whole blocks).',
    parameters: aes,
    examples: [
      [
        'root = this.encrypt_aes("ctr", "0123456789abcdef", "0123456789abcdef").decrypt_aes("ctr", "0123456789abcdef", "0123456789abcdef").string()',
        '"hello"',
        '"hello"',
      ],
    ],
    run: (target, args, run) => {
      const plain = bytesOf(target);
      run.string(plain.length + tagLength);
      return encrypt(args, plain);
    },
  },
  {
    name: 'decrypt_aes',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 10, steps: 100, own: 'size' },
    description: 'Decrypts what `encrypt_aes` made with the same scheme, key and vector.',
    parameters: aes,
    examples: [
      [
        'root = this.decode("hex").decrypt_aes("ctr", "2b7e151628aed2a6abf7158809cf4f3c".decode("hex"), "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff".decode("hex")).string()',
        '"84e9b31ff7400bdf80be7254"',
        '"hello world!"',
      ],
    ],
    run: (target, args, run) => {
      const secret = bytesOf(target);
      run.string(secret.length);
      return decrypt(args, secret);
    },
  },
];
