import type { Random } from '../random.js';
import { randomOf } from '../random.js';
import { readStrictly } from './strict-reader.js';

/** Bytes of a client over one connection: an odd request, which contains a hidden one, and the next request. */
export interface OddExchange {
  /** The odd request, in pieces. */
  pieces: string[];
  /** Sent behind the pieces, at once or after a response. */
  next: string;
  /** True if `next` leaves without a wait for the response to the odd request. */
  isPipelined: boolean;
}

/** Ids of the requests of an exchange, which the gateway logs and returns. */
export function idsOf(index: number): { first: string; hidden: string; next: string } {
  return { first: `odd-${index}-first`, hidden: `odd-${index}-hidden`, next: `odd-${index}-next` };
}

const methods = ['POST', 'POST', 'POST', 'PUT', 'GET', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'];
const oddMethods = ['get', 'POST\0', 'GPOST', 'M-SEARCH', 'PRI', 'SOURCE', 'TRACE', '"GET"'];
const paths = [
  '/v1/accounts',
  '/v1/auth/logon',
  '/v1/nowhere',
  '/reference',
  '/v1/organization',
  '/bridges/connect',
];

/** Makes the exchange of a seed and number. @param token used by some of the odd requests, and by every next one */
export function oddExchange(seed: number, index: number, token: string): OddExchange {
  const random = randomOf(seed, index);
  const ids = idsOf(index);
  const hidden = `GET /v1/organization HTTP/1.1\r\nhost: a\r\nx-request-id: ${ids.hidden}\r\n`;
  const next = `GET /v1/organization HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nx-request-id: ${ids.next}\r\n\r\n`;
  // An open one would take over the headers of the next request, with its token.
  const open = writeOdd(random, ids.first, token, `${hidden}x-open: `);
  const isMixed = readStrictly(open + next).some(({ id }) => id === undefined);
  const text =
    isMixed || random.chance(0.5) ? writeOdd(random, ids.first, token, `${hidden}\r\n`) : open;
  return { pieces: cut(random, text), next, isPipelined: random.chance(0.5) };
}

function writeOdd(random: Random, id: string, token: string, hidden: string): string {
  const body = writeBody(random, hidden);
  const lines = [
    writeStart(random),
    ...shuffle(random, [
      ...writeHost(random),
      `x-request-id: ${id}`,
      ...(random.chance(0.5) ? [`authorization: Bearer ${token}`] : []),
      ...(random.chance(0.5) ? ['content-type: application/json'] : []),
      ...writeFraming(random, body.length),
      ...writeExtras(random),
    ]),
    '',
  ];
  return `${random.chance(0.03) ? random.pick(['\r\n', '\n', '\r\n\r\n', ' ', '\0']) : ''}${join(random, lines)}${body}`;
}

function writeStart(random: Random): string {
  const method = random.chance(0.05) ? random.pick(oddMethods) : random.pick(methods);
  const path = random.pick(paths);
  const target = random.weighted([
    [30, path],
    [1, `http://a${path}`],
    [1, `http://other:81${path}`],
    [1, `//a${path}`],
    [1, 'a:443'],
    [1, '*'],
    [1, `${path}#x`],
    [1, `${path} x`],
    [1, `${path}?a=\xff`],
    [1, `${path}%0d%0aa: b`],
    [1, `/.${path}`],
  ]);
  const version = random.weighted([
    [40, 'HTTP/1.1'],
    [2, 'HTTP/1.0'],
    [1, 'HTTP/2.0'],
    [1, 'HTTP/1.2'],
    [1, 'HTTP/1.10'],
    [1, 'http/1.1'],
    [1, ''],
  ]);
  const gap = random.weighted([
    [40, ' '],
    [1, '  '],
    [1, '\t'],
  ]);
  return `${method}${gap}${target}${version === '' ? '' : gap + version}`;
}

function writeHost(random: Random): string[] {
  return random.weighted([
    [30, ['host: a']],
    [1, []],
    [1, ['host: a', 'host: b']],
    [1, ['host: a', 'Host: a']],
    [1, ['host: a, b']],
    [1, ['host : a']],
    [1, ['host:']],
    [1, ['host: a\r\n b']],
    [1, ['host: a/../b']],
  ]);
}

/** Writes the headers that decide where the body ends: none, one, or several that contradict each other. */
function writeFraming(random: Random, length: number): string[] {
  const lengths = () => `${lengthName(random)}${lengthValue(random, length)}`;
  const encodings = () => `${encodingName(random)}${encodingValue(random)}`;
  return random.weighted<() => string[]>([
    [12, () => [`content-length: ${length}`]],
    [8, () => ['transfer-encoding: chunked']],
    [8, () => [lengths()]],
    [8, () => [encodings()]],
    [8, () => [`content-length: ${length}`, encodings()]],
    [8, () => ['transfer-encoding: chunked', lengths()]],
    [4, () => [lengths(), lengths()]],
    [4, () => [encodings(), encodings()]],
    [4, () => [lengths(), encodings()]],
    [2, () => []],
  ])();
}

function lengthName(random: Random): string {
  return random.weighted([
    [12, 'content-length: '],
    [2, 'Content-Length:'],
    [1, 'content-length : '],
    [1, ' content-length: '],
    [1, 'content-length\t: '],
    [1, 'content_length: '],
    [1, 'content-length:\r\n '],
    [1, 'content-length: \x0b'],
    [1, '\0content-length: '],
    [1, 'x: y\ncontent-length: '],
    [1, 'x: y\rcontent-length: '],
    [1, 'content-length;: '],
    [1, 'connection: content-length\r\ncontent-length: '],
  ]);
}

function lengthValue(random: Random, length: number): string {
  return random.weighted([
    [8, `${length}`],
    [2, '0'],
    [1, '5'],
    [1, `${length + 20}`],
    [1, `0${length}`],
    [1, `+${length}`],
    [1, `-${length}`],
    [1, `${length}, ${length}`],
    [1, `${length},0`],
    [1, `0x${length.toString(16)}`],
    [1, `${length}.0`],
    [1, `${length} 0`],
    [1, `${length};`],
    [1, `1_${length}`],
    [1, ''],
    [1, `${2n ** 64n + BigInt(length)}`],
    [1, `${2n ** 32n + BigInt(length)}`],
    [1, `\xb2${length}`],
  ]);
}

function encodingName(random: Random): string {
  return random.weighted([
    [12, 'transfer-encoding: '],
    [2, 'Transfer-Encoding:'],
    [1, 'transfer-encoding : '],
    [1, ' transfer-encoding: '],
    [1, 'transfer-encoding\t: '],
    [1, 'transfer_encoding: '],
    [1, 'transfer-encoding:\r\n '],
    [1, 'transfer-encoding: \x0b'],
    [1, '\0transfer-encoding: '],
    [1, 'x: y\ntransfer-encoding: '],
    [1, 'x: y\rtransfer-encoding: '],
    [1, 'x: y\r\n\ttransfer-encoding: '],
    [1, 'transfer\x00-encoding: '],
    [1, 'connection: transfer-encoding\r\ntransfer-encoding: '],
  ]);
}

function encodingValue(random: Random): string {
  return random.weighted([
    [8, 'chunked'],
    [1, 'Chunked'],
    [1, 'chunked, chunked'],
    [1, 'identity'],
    [1, 'gzip, chunked'],
    [1, 'chunked, identity'],
    [1, 'chunked, gzip'],
    [1, ', chunked'],
    [1, 'chunked,'],
    [1, 'xchunked'],
    [1, 'chunkedx'],
    [1, '"chunked"'],
    [1, 'chunked;q=1'],
    [1, 'chunked\t'],
    [1, 'chunked\0'],
    [1, 'chun\\ked'],
    [1, '\x0cchunked'],
    [1, 'chunked\x0b'],
    [1, ''],
    [1, 'ch\xfcnked'],
  ]);
}

function writeExtras(random: Random): string[] {
  if (random.chance(0.6)) return [];
  return random.pick<string[]>([
    ['connection: keep-alive'],
    ['connection: close'],
    ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
    ['connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: '],
    ['connection: x-request-id'],
    ['expect: 100-continue'],
    ['expect: x'],
    ['te: trailers'],
    ['trailer: content-length'],
    ['x-folded: a\r\n b'],
    ['x-folded: a\r\n\tcontent-length: 3'],
    ['x-blank : a'],
    ['x-null: \0'],
    [': a'],
    ['no colon'],
    ['x-long: '.padEnd(9_000, 'x')],
    ['x-long: '.padEnd(17_000, 'x')],
    Array.from({ length: random.pick([90, 97, 98, 99, 100, 120, 130]) }, (_, n) => `x-${n}: `),
    ['x-http-method-override: DELETE'],
    ['content-encoding: gzip'],
  ]);
}

/** Writes the body: the hidden request as it is, in chunks of any validity, or behind what ends a body of chunks. */
function writeBody(random: Random, hidden: string): string {
  const size = hidden.length.toString(16);
  return random.weighted([
    [6, hidden],
    [6, `${size}\r\n${hidden}\r\n0\r\n\r\n`],
    [6, `0\r\n\r\n${hidden}`],
    [2, `3\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `0\r\nx-trailer: a\r\n\r\n${hidden}`],
    [1, `0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`],
    [1, `0\r\n bad trailer\r\n\r\n${hidden}`],
    [1, `0\n\n${hidden}`],
    [1, `0\r\n\n${hidden}`],
    [1, `0\r\r\n\r\n${hidden}`],
    [1, `0;\r\n\r\n${hidden}`],
    [1, `0;a="\r\n\r\n${hidden}"\r\n\r\n`],
    [1, `0;a\n\r\n\r\n${hidden}`],
    [1, `3;a=b\nxx\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `3\nabc\n0\n\n${hidden}`],
    [1, `3\r\nabcX\n0\r\n\r\n${hidden}`],
    [1, `3\r\nabc0\r\n\r\n${hidden}`],
    [1, `0x3\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `03\r\nabc\r\n00\r\n\r\n${hidden}`],
    [1, `+3\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, ` 3 \r\nabc\r\n0 \r\n\r\n${hidden}`],
    [1, `3\t\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `-1\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `\r\n\r\n${hidden}`],
    [1, `${(2n ** 64n + 3n).toString(16)}\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `${(2n ** 32n + 3n).toString(16)}\r\nabc\r\n0\r\n\r\n${hidden}`],
    [1, `${size}\r\n${hidden}`],
    [1, `${size};${'x'.repeat(20_000)}\r\n${hidden}\r\n0\r\n\r\n`],
    [1, `3\r\nabc\r\n0\r\n${hidden}`],
    [1, `{}${hidden}`],
  ]);
}

/** Joins lines, with an odd end of one of them or of all. */
function join(random: Random, lines: readonly string[]): string {
  const odd = random.pick(['\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\0\r\n']);
  const at = random.chance(0.1) ? random.below(lines.length) : -1;
  const isAll = random.chance(0.02);
  return lines.map((line, n) => line + (isAll || n === at ? odd : '\r\n')).join('');
}

function shuffle<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

function cut(random: Random, text: string): string[] {
  if (random.chance(0.6)) return [text];
  const at = [0, random.below(text.length), random.below(text.length), text.length].sort(
    (one, other) => one - other,
  );
  return at.slice(1).map((end, n) => text.slice(at[n], end));
}
