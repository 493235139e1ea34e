/** Percent-encodes any text but its placeholders, also one with a lone surrogate, which encodeURIComponent refuses. */
export function percentEncode(text: string): string {
  return text
    .split(/(\{\{\w+(?:[<~]\d+)?\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encode(part)))
    .join('');
}

function encode(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.charCodeAt(0);
      const isLone = character.length === 1 && code >= 0xd800 && code <= 0xdfff;
      if (!isLone) return encodeURIComponent(character);
      const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}

/** The bytes of a text, one character for each: what goes over the wire is kept so. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
