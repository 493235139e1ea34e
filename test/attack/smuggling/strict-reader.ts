const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
// A server may take several spaces for one (RFC 9112, 3).
const startForm = new RegExp(`^${token} +[\\x21-\\x7e]+ +HTTP/1\\.([01])$`);
const headerForm = new RegExp(`^(${token}):[ \\t]*([\\t\\x20-\\x7e\\x80-\\xff]*)$`);
const quoted = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\xff])*"';
const extension = `[ \\t]*;[ \\t]*${token}(?:[ \\t]*=[ \\t]*(?:${token}|${quoted}))?`;
const chunkForm = new RegExp(`^([0-9A-Fa-f]{1,8})(?:${extension})*$`);

/** Ids that the gateway takes over. */
const idForm = /^[\w.:-]{1,128}$/;

/** A request whose head a strict reader accepts. */
export interface StrictRequest {
  /** `undefined` where it has no valid id, or several. */
  id: string | undefined;
  method: string;
}

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Reads the requests of a connection as RFC 9112 says, and stops at the first byte that a server may refuse. What a server handles beyond
 * these requests, somebody has sent as something else. One character is one byte.
 */
export function readStrictly(text: string): StrictRequest[] {
  const found: StrictRequest[] = [];
  let rest: string | undefined = text;
  while (rest !== undefined) {
    const head = readHead(rest.replace(/^(?:\r?\n)+/, ''));
    if (head === undefined) return found;
    const { method, isOld, headers } = head;
    const length = lengthOf(headers, isOld);
    if (length === undefined || !hasHost(headers, isOld)) return found;
    const [id, ...others] = valuesOf(headers, 'x-request-id');
    const isId = others.length === 0 && idForm.test(id ?? '');
    found.push({ method, id: isId ? id : undefined });
    const options = valuesOf(headers, 'connection').join(',');
    const isLast =
      method === 'CONNECT' ||
      /\bclose\b/i.test(options) ||
      (isOld && !/\bkeep-alive\b/i.test(options));
    rest = isLast
      ? undefined
      : length === 'chunked'
        ? readChunked(head.rest)
        : head.rest.length < length
          ? undefined
          : head.rest.slice(length);
  }
  return found;
}

function readHead(
  text: string,
): { method: string; isOld: boolean; headers: Headers; rest: string } | undefined {
  const end = text.indexOf('\r\n');
  const start = end < 0 ? null : startForm.exec(text.slice(0, end));
  const fields = start && readFields(text.slice(end + 2));
  if (!fields) return undefined;
  const method = text.slice(0, text.indexOf(' '));
  return { method, isOld: start[1] === '0', ...fields };
}

/** Reads header fields or trailers up to the empty line behind them. */
function readFields(text: string): { headers: Headers; rest: string } | undefined {
  const headers: [string, string][] = [];
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return undefined;
    if (end === at) return { headers, rest: text.slice(end + 2) };
    const [, name, value] = headerForm.exec(text.slice(at, end)) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.push([name.toLowerCase(), value.replace(/[ \t]+$/, '')]);
    at = end + 2;
  }
}

const valuesOf = (headers: Headers, name: string) =>
  headers.filter(([own]) => own === name).map(([, value]) => value);

function hasHost(headers: Headers, isOld: boolean): boolean {
  const hosts = valuesOf(headers, 'host');
  return hosts.length === 1 || (isOld && hosts.length === 0);
}

/** Length of the body by RFC 9112, 6.3; `undefined` where a server may refuse the request. */
function lengthOf(headers: Headers, isOld: boolean): number | 'chunked' | undefined {
  const encodings = valuesOf(headers, 'transfer-encoding');
  const lengths = valuesOf(headers, 'content-length').flatMap((value) => value.split(','));
  if (encodings.length > 0) {
    const codings = encodings.flatMap((value) => value.split(',')).map((one) => one.trim());
    const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
    return isChunked && lengths.length === 0 && !isOld ? 'chunked' : undefined;
  }
  const [length = '0', ...others] = lengths.map((one) => one.trim());
  const isOne = /^\d{1,15}$/.test(length) && others.every((other) => other === length);
  return isOne ? Number(length) : undefined;
}

/** @returns what follows the chunks; `undefined` where they are not complete or invalid */
function readChunked(text: string): string | undefined {
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at);
    const size = chunkForm.exec(end < 0 ? '' : text.slice(at, end))?.[1];
    if (size === undefined) return undefined;
    const bytes = parseInt(size, 16);
    if (bytes === 0) return readFields(text.slice(end + 2))?.rest;
    at = end + 2 + bytes;
    if (text.slice(at, at + 2) !== '\r\n') return undefined;
    at += 2;
  }
}
