/** Percent-encodes any text except its placeholders, including lone surrogates, which encodeURIComponent refuses. */
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

/** Returns the bytes of a text with one character each, the form of everything that is sent. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
