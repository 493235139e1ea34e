import { createHash, createHmac } from 'node:crypto';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asString, type Value } from '../../language/values.js';
import { textSteps } from '../charges.js';
import { checksums } from './checksums.js';
import { bytesOf, textOf } from '../text.js';
import { decodeZ85, encodeZ85 } from './z85.js';
import { flat } from '../costs.js';

interface Scheme {
  encode: (bytes: Buffer) => string;
  decode: (text: string) => Buffer;
  /** Characters for each byte, at most. */
  growth: number;
  /** Nanoseconds for each character beyond what Node's own encodings take. */
  extraNanoseconds: number;
}

const native = { extraNanoseconds: 0 };
const ours = { extraNanoseconds: 56 };

const schemes: Record<string, Scheme> = {
  base64: {
    growth: 4 / 3,
    ...native,
    encode: (bytes) => bytes.toString('base64'),
    decode: (text) => strict(text, /^[A-Za-z0-9+/]*={0,2}$/, 'base64', 4),
  },
  base64url: {
    growth: 4 / 3,
    ...native,
    encode: (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
    decode: (text) => strict(text, /^[\w-]*={0,2}$/, 'base64url', 4),
  },
  base64rawurl: {
    growth: 4 / 3,
    ...native,
    encode: (bytes) => bytes.toString('base64url'),
    decode: (text) => strict(text, /^[\w-]*$/, 'base64url'),
  },
  hex: {
    growth: 2,
    ...native,
    encode: (bytes) => bytes.toString('hex'),
    decode: (text) => strict(text, /^[\da-fA-F]*$/, 'hex', 2),
  },
  ascii85: { growth: 5 / 4, ...ours, encode: encodeAscii85, decode: decodeAscii85 },
  z85: { growth: 5 / 4, ...ours, encode: encodeZ85, decode: decodeZ85 },
};

/** @param form has no repeated group: V8 uses stack for each repetition, and 3.4 MB of base64 exceeded it @param group characters in a group */
function strict(text: string, form: RegExp, encoding: BufferEncoding, group = 1): Buffer {
  const lines = text.replace(/[\r\n]/g, '');
  if (!form.test(lines) || lines.length % group !== 0)
    throw new RunError(`illegal ${encoding} data`);
  return Buffer.from(lines, encoding);
}

function encodeAscii85(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const rest = Math.min(4, bytes.length - at);
    let word = 0;
    for (let index = 0; index < 4; index += 1) word = word * 256 + (bytes[at + index] ?? 0);
    if (word === 0 && rest === 4) {
      text += 'z';
      continue;
    }
    let group = '';
    for (let index = 0; index < 5; index += 1) {
      group = String.fromCharCode(33 + (word % 85)) + group;
      word = Math.floor(word / 85);
    }
    text += group.slice(0, rest + 1);
  }
  return text;
}

function decodeAscii85(text: string): Buffer {
  const bytes: number[] = [];
  const letters = text.replace(/\s/g, '').replaceAll('z', '!!!!!');
  if (!/^[!-u]*$/.test(letters)) throw new RunError('illegal ascii85 data');
  for (let at = 0; at < letters.length; at += 5) {
    const group = letters.slice(at, at + 5);
    let word = 0;
    for (const letter of group.padEnd(5, 'u')) word = word * 85 + letter.charCodeAt(0) - 33;
    const four = [word / 2 ** 24, word / 2 ** 16, word / 2 ** 8, word].map(
      (part) => Math.floor(part) & 255,
    );
    bytes.push(...four.slice(0, group.length - 1));
  }
  return Buffer.from(bytes);
}

function scheme(name: Value): Scheme {
  const text = textOf(name);
  const found = Object.hasOwn(schemes, text) ? schemes[text] : undefined;
  if (found === undefined) throw new RunError(`unrecognized encoding type: ${text}`);
  return found;
}

const digests = new Map([
  ['md5', 'md5'],
  ['sha1', 'sha1'],
  ['sha256', 'sha256'],
  ['sha512', 'sha512'],
  ['sha3_256', 'sha3-256'],
  ['sha3_512', 'sha3-512'],
]);

function hash(target: Value, algorithm: string, key: Value, polynomial: string): Buffer {
  const bytes = bytesOf(target);
  if (algorithm.startsWith('hmac_')) {
    const inner = digests.get(algorithm.slice(5));
    if (inner === undefined) throw new RunError(`unrecognized hash type: ${algorithm}`);
    if (key === undefined || key === null)
      throw new RunError('hash algorithm requires a key argument');
    return createHmac(inner, textOf(key)).update(bytes).digest();
  }
  const digest = digests.get(algorithm);
  if (digest !== undefined) return createHash(digest).update(bytes).digest();
  const sum = checksums(algorithm, polynomial);
  if (sum === undefined) throw new RunError(`unrecognized hash type: ${algorithm}`);
  return sum(bytes);
}

const namespaces = new Map([
  ['dns', '6ba7b810'],
  ['url', '6ba7b811'],
  ['oid', '6ba7b812'],
  ['x500', '6ba7b814'],
]);

function uuidV5(target: Value, namespace: Value): Value {
  if (target === null || target === undefined) return null;
  const given =
    namespace === undefined || namespace === null
      ? '00000000-0000-0000-0000-000000000000'
      : textOf(namespace);
  const known = namespaces.get(given.toLowerCase());
  const id = known === undefined ? given : `${known}-9dad-11d1-80b4-00c04fd430c8`;
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
    throw new RunError(`invalid ns uuid: ${given.slice(0, 60)}`);
  const digest = createHash('sha1')
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .update(asString(target))
    .digest()
    .subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const encodingMethods: readonly Method[] = [
  {
    name: 'encode',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 4, own: 'size' },
    check: ([name]) => void scheme(name),
    description: 'As base64, base64url, base64rawurl, hex, ascii85 or z85.',
    parameters: [{ name: 'scheme', type: 'string' }],
    examples: [['root = this.encode("base64")', '"hi"', '"aGk="']],
    run: (target, [name], run) => {
      const bytes = bytesOf(target);
      const { growth, extraNanoseconds, encode } = scheme(name);
      run.string(Math.ceil(bytes.length * growth));
      run.spend(textSteps(bytes.length, extraNanoseconds));
      return encode(bytes);
    },
  },
  {
    name: 'decode',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 4, own: 'size' },
    check: ([name]) => void scheme(name),
    description: 'Bytes out of base64, base64url, base64rawurl, hex, ascii85 or z85.',
    parameters: [{ name: 'scheme', type: 'string' }],
    examples: [['root = this.decode("hex").string()', '"6869"', '"hi"']],
    run: (target, [name], run) => {
      const text = asString(target);
      const { extraNanoseconds, decode } = scheme(name);
      run.string(text.length);
      run.spend(textSteps(text.length, extraNanoseconds));
      return decode(text);
    },
  },
  {
    name: 'hash',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 60, steps: 40, own: 'size' },
    returns: 'small',
    description:
      'A digest as bytes: md5, sha1, sha256, sha512, sha3_256, sha3_512, their hmac_ forms, crc32, fnv32, xxhash64.',
    parameters: [
      { name: 'algorithm', type: 'string' },
      { name: 'key', type: 'string', optional: true },
      { name: 'polynomial', type: 'string', default: 'IEEE' },
    ],
    examples: [
      [
        'root = this.hash("sha1").encode("hex")',
        '"a"',
        '"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"',
      ],
    ],
    run: (target, [algorithm, key, polynomial], run) => {
      run.spend(bytesOf(target).length >> 6);
      return hash(target, textOf(algorithm), key, textOf(polynomial));
    },
  },
  {
    name: 'uuid_v5',
    category: 'encoding',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 10, steps: 80 },
    description: 'A UUID out of a name in a namespace.',
    parameters: [{ name: 'ns', type: 'string', optional: true }],
    examples: [
      ['root = this.uuid_v5("dns")', '"example.com"', '"cfbff0d1-9375-5685-968c-48ce8b15ae17"'],
    ],
    run: (target, [namespace]) => uuidV5(target, namespace),
  },
];
