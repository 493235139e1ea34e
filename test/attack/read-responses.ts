/** Response as received. */
export interface RawResponse {
  status: number;
  /** By lower-case name; the last of repeated ones. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Splits received bytes into complete responses, without interim ones. One character is one byte. */
export function readResponses(
  text: string,
  isHead: boolean,
): { responses: RawResponse[]; rest: string } {
  const responses: RawResponse[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { responses, rest };
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? NaN);
    if (Number.isNaN(status)) return { responses, rest };
    const headers = Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    );
    const after = rest.slice(end + 4);
    if (status < 200) {
      rest = after;
      continue;
    }
    const read = readBody(after, isHead || status === 204 || status === 304, headers);
    if (read === undefined) return { responses, rest };
    responses.push({ status, headers, body: read.body });
    rest = read.rest;
  }
}

function readBody(
  text: string,
  isEmpty: boolean,
  headers: Readonly<Record<string, string>>,
): { body: string; rest: string } | undefined {
  if (isEmpty) return { body: '', rest: text };
  if (headers['transfer-encoding'] === 'chunked') return readChunks(text);
  const length = Number(headers['content-length'] ?? 0);
  return text.length < length
    ? undefined
    : { body: text.slice(0, length), rest: text.slice(length) };
}

function readChunks(text: string): { body: string; rest: string } | undefined {
  let body = '';
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n');
    if (end < 0) return undefined;
    const size = parseInt(rest.slice(0, end), 16);
    if (rest.length < end + size + 4) return undefined;
    body += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + size + 4);
    if (size === 0) return { body, rest };
  }
}
