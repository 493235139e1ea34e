import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from './framing.js';
import { type RawResponse, readResponses } from './read-responses.js';

export interface Received {
  responses: RawResponse[];
  /** Received bytes and responses. */
  rest: string;
  ms: number;
  /** The reason why no more was received; absent if all expected responses arrived. */
  end?: 'closed' | 'reset' | 'refused' | 'timed out';
}

const maxWaitMs = 60_000;

/** Sends bytes over a new connection and collects the response. */
export async function sendRaw(
  url: string,
  isHead: boolean,
  { parts, pauseMs, responses: expected, then }: Exchange,
): Promise<Received> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  const parsed = () => readResponses(text, isHead);
  const finished = new Promise<Received['end']>((settle) => {
    const timer = setTimeout(() => settle('timed out'), maxWaitMs);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (parsed().responses.length >= expected) settle(undefined);
    });
    socket.on('end', () => settle('closed'));
    socket.on('close', () => settle('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(error.code === 'ECONNREFUSED' ? 'refused' : 'reset'),
    );
    socket.on('close', () => clearTimeout(timer));
  });
  await write(socket, parts, pauseMs);
  if (then === 'half-close') socket.end();
  if (then === 'leave') {
    await sleep(5);
    socket.destroy();
  }
  const end = await finished;
  socket.destroy();
  const { responses, rest } = parsed();
  const ms = performance.now() - started;
  return { responses, rest, ms, ...(end === undefined ? {} : { end }) };
}

async function write(socket: Socket, parts: readonly string[], pauseMs: number): Promise<void> {
  socket.setNoDelay(true);
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(pauseMs);
    if (socket.writable) socket.write(part, 'latin1');
  }
}
