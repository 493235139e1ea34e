import { TextDecoder } from 'node:util';

/** The letters of windows-1252 from 0x80 to 0x9f. ISO-8859-1 and ASCII are read as it, as browsers do; Node 20 has no letters there. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a text of another system, without its byte order mark: in the encoding of the mark, else of the charset in the content type,
 * else of an XML declaration, else as UTF-8. What cannot be decoded becomes U+FFFD, so that one letter does not lose the rest.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return decode(text.subarray(marked[1].length), marked[0]);
  return decode(text, charsetOf(contentType) ?? declaredIn(text) ?? 'utf-8');
}

function charsetOf(contentType: string): string | undefined {
  return /;\s{0,9}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(contentType)?.[1];
}

function declaredIn(text: Buffer): string | undefined {
  if (text[0] !== 0x3c) return undefined; // <
  return /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    text.toString('latin1', 0, 200),
  )?.[1];
}

function decode(text: Buffer, label: string): string {
  if (/^utf-?8$/i.test(label)) return text.toString('utf8');
  const decoder = decoderOf(label);
  if (decoder?.encoding !== 'windows-1252') return decoder?.decode(text) ?? text.toString('utf8');
  return text
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (letter) => windows1252[letter.charCodeAt(0) - 0x80] ?? letter);
}

/** Returns undefined for a charset that nobody knows, such as a misspelt one. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
