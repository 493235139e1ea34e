import { RunError } from '../../language/run-error.js';

// ZeroMQ RFC 32: four bytes are five digits of base 85.
const digits =
  '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#';

export function encodeZ85(bytes: Buffer): string {
  if (bytes.length % 4 !== 0) throw new RunError('z85 takes a multiple of 4 bytes');
  const text = Buffer.allocUnsafe((bytes.length / 4) * 5);
  for (let at = 0; at < bytes.length; at += 4) {
    let word = bytes.readUInt32BE(at);
    const first = (at / 4) * 5;
    for (let place = first + 4; place >= first; place -= 1) {
      text[place] = digits.charCodeAt(word % 85);
      word = Math.floor(word / 85);
    }
  }
  return text.toString('latin1');
}

export function decodeZ85(text: string): Buffer {
  if (text.length % 5 !== 0) throw new RunError('z85 takes a multiple of 5 characters');
  const bytes = Buffer.alloc((text.length / 5) * 4);
  for (let at = 0; at < text.length; at += 5) {
    let word = 0;
    for (const character of text.slice(at, at + 5)) {
      const digit = digits.indexOf(character);
      if (digit < 0) throw new RunError(`illegal z85 data at character ${at + 1}`);
      word = word * 85 + digit;
    }
    if (word > 0xffffffff) throw new RunError(`illegal z85 data at character ${at + 1}`);
    bytes.writeUInt32BE(word, (at / 5) * 4);
  }
  return bytes;
}
