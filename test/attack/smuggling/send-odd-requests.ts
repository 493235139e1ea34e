import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { idsOf, type OddExchange, oddExchange } from './odd-requests.js';
import { readStrictly } from './strict-reader.js';

/** Where odd requests are sent to. */
export interface Target {
  url: string;
  /** The requests that the gateway has handled. Called once, at the end. */
  handled(): Promise<HandledRequest[]>;
  /** The trace id of the requests that a proxy has forwarded, which no client knows; absent without a proxy. */
  traceId?: string;
}

export interface HandledRequest {
  id: string;
  traceId: string | undefined;
}

export interface Plan {
  seed: number;
  first?: number;
  count: number;
  /** Token of the next request, and of some odd ones. */
  token: string;
}

export interface Outcome {
  /** Requests that were handled, or answered to a client, and that it had not sent. */
  faults: string[];
  /** Numbers of odd requests, of those behind one, and of those of other clients of a proxy that were handled. */
  handled: { odd: number; next: number; bystander: number };
}

/** Wait for a response. A server that takes longer is not at fault: what it handles is in its log all the same. */
const maxQuietMs = 100;
const maxBystanderMs = 10_000;
const connections = 16;

/** Sends the odd requests of a seed, and compares what was handled and answered with what was sent. */
export async function sendOddRequests(target: Target, plan: Plan): Promise<Outcome> {
  const { seed, first = 0, count, token } = plan;
  const faults: string[] = [];
  const sent: (string | undefined)[] = [];
  let index = first;
  const work = async () => {
    while (index < first + count) {
      const own = index++;
      const exchange = oddExchange(seed, own, token);
      const check = target.traceId === undefined ? checkAlone : checkBehindProxy;
      for (const fault of await check(target, own, exchange, sent))
        faults.push(`request ${own}: ${fault}\n  ${JSON.stringify(exchange.pieces.join(''))}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const handled = await target.handled();
  faults.push(
    ...(target.traceId === undefined
      ? listUnsent(handled, sent)
      : listUnforwarded(handled, target.traceId)),
  );
  const countOf = (form: RegExp) => handled.filter(({ id }) => form.test(id)).length;
  return {
    faults,
    handled: {
      odd: countOf(/^odd-.*-first$/),
      next: countOf(/^odd-.*-next$/),
      bystander: countOf(/^bystander-/),
    },
  };
}

/** The gateway gives a request without an id one of its own. */
function listUnsent(
  handled: readonly HandledRequest[],
  sent: readonly (string | undefined)[],
): string[] {
  const known = new Set(sent);
  const ids = handled.map(({ id }) => id);
  const own = ids.filter((id) => id.startsWith('odd-'));
  const unsent = own.filter((id, at) => !known.has(id) || own.indexOf(id) < at);
  const more = ids.length - own.length - sent.filter((id) => id === undefined).length;
  return [
    ...unsent.map((id) => `the gateway handled ${id}, which nobody has sent, or sent once`),
    ...(more > 0
      ? [`the gateway handled ${more} requests without an id that nobody has sent`]
      : []),
  ];
}

function listUnforwarded(handled: readonly HandledRequest[], traceId: string): string[] {
  return handled
    .filter((one) => one.traceId !== traceId)
    .map(({ id }) => `the gateway handled ${id}, which the proxy has not sent`);
}

/** The client is the proxy: it reads its bytes strictly, and the gateway may answer these requests, in this order. */
async function checkAlone(
  { url }: Target,
  _index: number,
  exchange: OddExchange,
  sent: (string | undefined)[],
): Promise<string[]> {
  const own = readStrictly(exchange.pieces.join('') + exchange.next).map(({ id }) => id);
  sent.push(...own);
  let from = 0;
  return answeredIds(await send(url, exchange)).flatMap((id) => {
    const at = own.indexOf(id.startsWith('odd-') ? id : undefined, from);
    if (at < 0) return [`${id} was answered, where [${own.join(', ')}] was sent`];
    from = at + 1;
    return [];
  });
}

/** Another client of the proxy gets the response to its own request, while one sends odd requests. */
async function checkBehindProxy(
  { url }: Target,
  index: number,
  exchange: OddExchange,
): Promise<string[]> {
  const id = `bystander-${index}`;
  const bystander: OddExchange = {
    pieces: [],
    next: exchange.next.replace(idsOf(index).next, id),
    isPipelined: true,
  };
  const [own, other] = await Promise.all([
    send(url, bystander, maxBystanderMs),
    send(url, exchange),
  ]);
  return [
    ...answeredIds(own).filter((one) => one !== id),
    ...answeredIds(other).filter((one) => one.includes('bystander')),
  ].map((one) => `a client was answered ${one}, which it had not sent`);
}

/** Sends an exchange over one connection. @returns all that was received */
async function send(
  url: string,
  { pieces, next, isPipelined }: OddExchange,
  waitMs = maxQuietMs,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined); // The server may leave while more is sent.
  const write = (piece: string) => socket.writable && socket.write(piece, 'latin1');
  for (const piece of pieces) {
    write(piece);
    if (pieces.length > 1) await sleep(1);
  }
  if (!isPipelined) await quiet(socket, waitMs);
  write(next);
  await quiet(socket, waitMs);
  socket.destroy();
  return text;
}

/** Waits until a server has sent something and is then quiet, or has closed the connection, or sends nothing. */
async function quiet(socket: Socket, maxMs: number): Promise<void> {
  const wake = new AbortController();
  const { signal } = wake;
  await Promise.race([
    once(socket, 'end', { signal }),
    once(socket, 'close', { signal }),
    once(socket, 'data', { signal }).then(() => sleep(5)),
    sleep(maxMs, undefined, { signal }),
  ]).catch(() => undefined);
  wake.abort();
}

/** Reads the ids of responses. Bodies do not contain the header. */
function answeredIds(text: string): string[] {
  return [...text.matchAll(/^x-request-id: (.*)\r$/gm)].map(([, id = '']) => id);
}
