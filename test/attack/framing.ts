import type { Random } from './random.js';

/** Framing of the bytes of a request. */
export const framings = [
  'content-length',
  'chunked',
  'chunked in small pieces',
  'chunk extensions and trailers',
  'chunk garbage',
  'chunk size overflow',
  'unfinished chunks',
  'shorter than its content-length',
  'longer than its content-length',
  'two content-lengths',
  'negative content-length',
  'content-length and chunked',
  'transfer-encoding gzip',
  'transfer-encoding unknown',
  'no content-length',
  'in segments',
  'slow headers',
  'pipelined',
  'left after sending',
  'left in the headers',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'bare line feeds',
  'folded header',
  'space before the colon',
  'absolute target',
  'authority target',
  'asterisk target',
  'no host',
  'two hosts',
  'hostile host',
  'upgrade to h2c',
  'upgrade to websocket',
  'expect continue',
  'expect nonsense',
  'not HTTP',
] as const;
export type Framing = (typeof framings)[number];

/** The majority of requests have a valid framing, so that they reach the service. */
export function randomFraming(random: Random): Framing {
  return random.pick(framings);
}

/** Bytes to send, and the expected responses. */
export interface Exchange {
  /** Parts with pauses between them. */
  parts: string[];
  pauseMs: number;
  /** Number of responses to wait for. */
  responses: number;
  /** Action of the client after everything is sent. */
  then: 'wait' | 'half-close' | 'leave';
  /** True if the server may close without a response: there was no complete HTTP request. */
  mayClose: boolean;
}

interface Message {
  method: string;
  target: string;
  host: string;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
}

const ending = '\r\n';

/** Returns the bytes of a message in a framing. */
export function frame(framing: Framing, message: Message): Exchange {
  const { method, target, host, headers, body } = message;
  const plain: Exchange = { parts: [], pauseMs: 0, responses: 1, then: 'wait', mayClose: false };
  const start = `${method} ${target} HTTP/1.1`;
  const hosts = [`host: ${host}`];
  const own = headers.map(([name, value]) => `${name}: ${value}`);
  const write = (first: string, lines: readonly string[], rest = '', end = ending) =>
    [first, ...lines, '', rest].join(end);
  const sized = body === undefined ? [] : [`content-length: ${body.length}`];
  const whole = write(start, [...hosts, ...own, ...sized], body);
  const chunked = [...hosts, ...own, 'transfer-encoding: chunked'];
  const text = body ?? '{}';
  const one = (parts: string, more: Partial<Exchange> = {}): Exchange => ({
    ...plain,
    parts: [parts],
    ...more,
  });
  switch (framing) {
    case 'content-length':
      return one(whole);
    case 'chunked':
      return one(write(start, chunked, chunks(text, 65_536)));
    case 'chunked in small pieces':
      return one(write(start, chunked, chunks(text.slice(0, 5_000), 1)));
    case 'chunk extensions and trailers':
      return one(
        write(
          start,
          chunked,
          `${text.length.toString(16)};a="b;c"\r\n${text}\r\n0\r\nx-trailer: 1\r\n__proto__: 2\r\n\r\n`,
        ),
      );
    case 'chunk garbage':
      return one(write(start, chunked, `zz\r\n${text}\r\n0\r\n\r\n`));
    case 'chunk size overflow':
      return one(write(start, chunked, `fffffffffffffffff\r\n${text}\r\n0\r\n\r\n`));
    case 'unfinished chunks':
      return one(write(start, chunked, `5\r\nabc`), { then: 'half-close', mayClose: true });
    case 'shorter than its content-length':
      return one(write(start, [...hosts, ...own, `content-length: ${text.length + 9}`], text), {
        then: 'half-close',
        mayClose: true,
      });
    case 'longer than its content-length':
      return one(
        write(start, [...hosts, ...own, `content-length: ${Math.max(0, text.length - 3)}`], text),
      );
    case 'two content-lengths':
      return one(
        write(
          start,
          [...hosts, ...own, `content-length: ${text.length}`, 'content-length: 1'],
          text,
        ),
      );
    case 'negative content-length':
      return one(write(start, [...hosts, ...own, 'content-length: -1'], text));
    case 'content-length and chunked':
      return one(write(start, [...chunked, 'content-length: 3'], chunks(text, 65_536)));
    case 'transfer-encoding gzip':
      return one(
        write(start, [...hosts, ...own, 'transfer-encoding: gzip, chunked'], chunks(text, 65_536)),
      );
    case 'transfer-encoding unknown':
      return one(write(start, [...hosts, ...own, 'transfer-encoding: xchunked'], text), {
        then: 'half-close',
        mayClose: true,
      });
    case 'no content-length':
      return one(write(start, [...hosts, ...own], text));
    case 'in segments':
      return { ...plain, parts: pieces(whole, 5), pauseMs: 1 };
    case 'slow headers':
      return {
        ...plain,
        parts: pieces(whole.slice(0, 400), 4).concat(whole.slice(400)),
        pauseMs: 30,
      };
    case 'pipelined':
      return one(whole + whole + whole, { responses: 3 });
    case 'left after sending':
      return one(whole, { then: 'leave', mayClose: true });
    case 'left in the headers':
      return one(whole.slice(0, 60), { then: 'leave', mayClose: true });
    case 'HTTP/1.0':
      return one(write(`${method} ${target} HTTP/1.0`, [...hosts, ...own, ...sized], body));
    case 'HTTP/0.9':
      return one(`${method} ${target}\r\n`, { then: 'half-close', mayClose: true });
    case 'HTTP/2.0':
      return one(write(`${method} ${target} HTTP/2.0`, [...hosts, ...own, ...sized], body));
    case 'bare line feeds':
      return one(write(start, [...hosts, ...own, ...sized], body, '\n'));
    case 'folded header':
      return one(write(start, [...hosts, 'x-folded: a\r\n b', ...own, ...sized], body));
    case 'space before the colon':
      return one(write(start, [...hosts, 'x-space : a', ...own, ...sized], body));
    case 'absolute target':
      return one(
        write(`${method} http://${host}${target} HTTP/1.1`, [...hosts, ...own, ...sized], body),
      );
    case 'authority target':
      return one(write(`CONNECT ${host} HTTP/1.1`, [...hosts, ...own, ...sized], body), {
        mayClose: true,
      });
    case 'asterisk target':
      return one(write('OPTIONS * HTTP/1.1', [...hosts, ...own, ...sized], body));
    case 'no host':
      return one(write(start, [...own, ...sized], body));
    case 'two hosts':
      return one(write(start, [...hosts, 'host: other', ...own, ...sized], body));
    case 'hostile host':
      return one(write(start, ['host: "><script>\\..', ...own, ...sized], body));
    case 'upgrade to h2c':
      return one(
        write(
          start,
          [
            ...hosts,
            'connection: upgrade, http2-settings',
            'upgrade: h2c',
            'http2-settings: AAMAAABk',
            ...own,
            ...sized,
          ],
          body,
        ),
      );
    case 'upgrade to websocket':
      return one(
        write(
          start,
          [
            ...hosts,
            'connection: upgrade',
            'upgrade: websocket',
            'sec-websocket-version: 13',
            ...own,
            ...sized,
          ],
          body,
        ),
      );
    case 'expect continue':
      return one(write(start, [...hosts, 'expect: 100-continue', ...own, ...sized], body));
    case 'expect nonsense':
      return one(write(start, [...hosts, 'expect: nonsense', ...own, ...sized], body));
    case 'not HTTP':
      return one('\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n', { mayClose: true });
  }
}

function chunks(text: string, size: number): string {
  const parts = [];
  for (let at = 0; at < text.length; at += size) {
    const part = text.slice(at, at + size);
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`);
  }
  return `${parts.join('')}0\r\n\r\n`;
}

function pieces(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}
