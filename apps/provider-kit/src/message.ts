/** Body in a fixture: readable where possible, otherwise its bytes. */
export interface Body {
  json?: unknown;
  text?: string;
  base64?: string;
}

/** Reads a body. @param change scrubs the text */
export function readBody(bytes: Buffer, type: string, change: (text: string) => string): Body {
  if (bytes.length === 0) return {};
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) {
    // Byte by byte: scrubbed texts are ASCII, and all other bytes are unchanged.
    const boundary = boundaryIn(type);
    const raw = bytes.toString('latin1');
    const letters = boundary ? raw.replaceAll(boundary, 'boundary') : raw;
    return { base64: Buffer.from(change(letters), 'latin1').toString('base64') };
  }
  const boundary = boundaryIn(type);
  const scrubbed = change(boundary ? text.replaceAll(boundary, 'boundary') : text);
  // Numbers that JavaScript cannot represent keep their text.
  if (/json/.test(type) && !/\d{16}/.test(scrubbed))
    try {
      return { json: JSON.parse(scrubbed) as unknown };
    } catch {
      return { text: scrubbed }; // An invalid response is shown as text.
    }
  return { text: scrubbed };
}

export function writeBody({ json, text, base64 }: Body): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return Buffer.from(text ?? (json === undefined ? '' : JSON.stringify(json)));
}

function boundaryIn(type: string): string | undefined {
  return /boundary="?([^";]+)/.exec(type)?.[1];
}

/** Returns a content type without the parameters that differ from call to call. */
export function typeOf(header: string | undefined): string {
  return (header ?? '').replace(/boundary=.*/, 'boundary=boundary');
}
