import { once } from 'node:events';
import zlib from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decodedContent } from './decode-content.js';
import { decodeText } from './decode-text.js';

const text = '{"name":"Zürich – 5 €"}';

describe('a text of another system', () => {
  it.each([
    ['UTF-8', Buffer.from(text), 'application/json'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'application/json; charset=utf-8'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), ''],
    ['UTF-16 in network order', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), ''],
    [
      'a mark that the header contradicts',
      Buffer.from(`\ufeff${text}`),
      'text/csv; charset=latin1',
    ],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 'text/plain; charset="UTF-16LE"'],
    ['windows-1252', windows1252(text), 'text/csv;charset=windows-1252'],
    [
      'what calls itself ISO-8859-1',
      windows1252(text),
      'text/csv; header=present; charset=ISO-8859-1',
    ],
    ['an unknown charset', Buffer.from(text), 'application/json; charset=utf8mb4'],
  ])('is read from %s', (_form, bytes, type) => {
    expect(decodeText(bytes, type)).toBe(text);
  });

  it('is read by other charsets, and by the declaration of XML', () => {
    expect(decodeText(Buffer.from([0xb1]), 'text/plain; charset=iso-8859-2')).toBe('ą');
    expect(decodeText(Buffer.from([0xc4, 0xe0]), 'text/plain; charset=windows-1251')).toBe('Да');
    expect(decodeText(Buffer.from([0xa4]), 'text/plain; charset=ISO-8859-15')).toBe('€');
    const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>';
    expect(decodeText(Buffer.from(xml, 'latin1'), 'text/xml')).toBe(xml);
  });

  it('loses no more than the letters that cannot be read', () => {
    expect(decodeText(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb');
  });
});

describe('a compressed body', () => {
  const bytes = Buffer.from(text);
  it.each([
    ['gzip', zlib.gzipSync(bytes)],
    ['x-gzip', zlib.gzipSync(bytes)],
    ['GZIP', zlib.gzipSync(bytes)],
    ['deflate', zlib.deflateSync(bytes)],
    ['deflate', zlib.deflateRawSync(bytes)],
    ['br', zlib.brotliCompressSync(bytes)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(bytes))],
  ])('is decompressed from %s', async (coding, body) => {
    const content = decodedContent(body, coding);
    const chunks: Buffer[] = [];
    content?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(content ?? process, 'end');
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  it.each([['utf-8'], ['identity'], ['gzip'], ['']])('is as it is where %j is wrong', (coding) => {
    expect(decodedContent(bytes, coding)).toBeUndefined();
  });

  it('says that a coding is not known here', () => {
    expect(() => decodedContent(bytes, 'compress')).toThrow(/compressed as compress/);
    expect(() => decodedContent(bytes, 'gzip,'.repeat(9))).toThrow(/cannot be read/);
  });
});

function windows1252(given: string): Buffer {
  return Buffer.from(given.replace('€', '\x80').replace('–', '\x96'), 'latin1');
}
