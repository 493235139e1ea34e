/** A body as a fixture shows it: what it means where that can be read, its bytes where not. */
export interface Body {
  json?: unknown;
  text?: string;
  base64?: string;
}

/** @param change scrubs the text */
export function readBody(bytes: Buffer, type: string, change: (text: string) => string): Body {
  if (bytes.length === 0) return {};
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) {
    // Letter by letter: what is scrubbed is ASCII, and the other bytes stay as they are.
    const boundary = boundaryIn(type);
    const raw = bytes.toString('latin1');
    const letters = boundary ? raw.replaceAll(boundary, 'boundary') : raw;
    return { base64: Buffer.from(change(letters), 'latin1').toString('base64') };
  }
  const boundary = boundaryIn(type);
  const scrubbed = change(boundary ? text.replaceAll(boundary, 'boundary') : text);
  // Numbers that JavaScript cannot hold stay as they were written.
  if (/json/.test(type) && !/\d{16}/.test(scrubbed))
    try {
      return { json: JSON.parse(scrubbed) as unknown };
    } catch {
      return { text: scrubbed }; // an answer may be garbage, and is shown as such
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

/** A content type without what differs from call to call. */
export function typeOf(header: string | undefined): string {
  return (header ?? '').replace(/boundary=.*/, 'boundary=boundary');
}
