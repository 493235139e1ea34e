import type { Attack } from './attack.js';
import { type Exchange, frame } from './framing.js';
import { judge } from './judge.js';
import { type Received, sendRaw } from './send-raw.js';
import { fillIn, senderOf, type Values } from './target.js';

/** An attack that was sent, with its result. */
export interface Sent {
  attack: Attack;
  /** The bytes, as parts with pauses between them. */
  exchange: Exchange;
  received: Received;
  /** Fault of the response. */
  fault?: string;
}

/** Sends an attack once. @param index its number, which selects address and integration */
export async function sendAttack(
  url: string,
  attack: Attack,
  index: number,
  values: Values,
): Promise<Sent> {
  const { token, texts } = senderOf(attack, index, values);
  const fill = (text: string) => fillIn(text, token, texts);
  const search = attack.query.length > 0 ? `?${attack.query.map(fill).join('&')}` : '';
  const target = `${fill(attack.path)}${search}`;
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const headers = attack.headers.map(([name, value]) => [name, fill(value)] as const);
  const names = new Set(headers.map(([name]) => name));
  const exchange = frame(attack.framing, {
    method: attack.method,
    target,
    host: new URL(url).host,
    headers: [
      ...(names.has('x-forwarded-for') ? [] : [['x-forwarded-for', address] as const]),
      ...(token === undefined || names.has('authorization')
        ? []
        : [['authorization', `Bearer ${token}`] as const]),
      ...headers,
    ],
    body: attack.body === undefined ? undefined : fill(attack.body),
  });
  const received = await sendRaw(url, attack.method === 'HEAD', exchange);
  const fault = judge(attack, target, exchange, received);
  return { attack, exchange, received, ...(fault === undefined ? {} : { fault }) };
}

/** Returns a shell command that sends the same bytes; secrets in it belong to the test. */
export function curlOf(url: string, { exchange: { parts } }: Sent): string {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(parts.join(''), 'latin1');
  const lines = bytes.toString('latin1');
  const [head = '', ...rest] = lines.split('\r\n\r\n');
  const [first = '', ...headers] = head.split('\r\n');
  const [method = '', target = '', version = ''] = first.split(' ');
  const body = rest.join('\r\n\r\n');
  const isPrintable = /^[\x20-\x7e\n]*$/.test(lines.replaceAll('\r\n', ''));
  const isPlain =
    version === 'HTTP/1.1' &&
    isPrintable &&
    !/^transfer-encoding:/im.test(head) &&
    lines.length < 20_000;
  // Bytes that curl would change are written to the socket directly.
  if (!isPlain)
    return `printf %s '${bytes.toString('base64').slice(0, 40_000)}' | base64 -d | curl -s -m 10 telnet://${hostname}:${port}`;
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -s -g --path-as-is -X ${method} ${quote(`${url}${target}`)}`,
    ...headers
      .filter((line) => !/^(?:host|content-length|x-forwarded-for):/i.test(line))
      .map((line) => `-H ${quote(line)}`),
    ...(body === '' ? [] : [`--data-binary ${quote(body)}`]),
  ].join(' ');
}
