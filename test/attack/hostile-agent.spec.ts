import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { AgentLink, maxFrameBytes, windowBytes } from '#bridge';
import { encodeFrame, FrameKind } from '../../libs/bridge/src/frames.js';
import { IncomingBody } from '../../libs/bridge/src/incoming-body.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A link of the gateway, and the socket of an agent that sends what it likes. */
async function connect(): Promise<{ link: AgentLink; agent: WebSocket }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: maxFrameBytes });
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const agent = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[socket]] = await Promise.all([accepted, once(agent, 'open')]);
  cleanups.push(() => {
    agent.terminate();
    socket.terminate();
    server.close();
  });
  return { link: new AgentLink(socket), agent };
}

const request = {
  method: 'GET',
  url: 'http://plant.internal/',
  headers: {},
  hasBody: false,
  timeoutMs: 60_000,
};

describe('an agent that sends what it likes', () => {
  it('is disconnected at the first frame of a body without bytes', async () => {
    const { link, agent } = await connect();
    const sent = link.send(request, undefined, new AbortController().signal);
    const head = Buffer.from(JSON.stringify({ status: 200, headers: {} }));
    agent.send(encodeFrame(FrameKind.head, 1, head));
    await sent;
    for (let count = 0; count < 1_000; count += 1) agent.send(encodeFrame(FrameKind.data, 1));
    expect(await link.ended).toContain('more than it may in stream 1');
  });
});

describe('a body in frames of one byte that nobody reads', () => {
  it('is kept in few pieces, and unchanged', async () => {
    let held = 0;
    const body = new IncomingBody(
      () => undefined,
      () => undefined,
      (bytes) => (held += bytes),
    );
    const sent = Buffer.from(Array.from({ length: windowBytes }, (_, at) => at % 251));
    for (let at = 0; at < sent.length; at += 1)
      if (!body.push(sent.subarray(at, at + 1))) throw new Error(`refused at ${at}`);
    expect(body.push(Buffer.from('x'))).toBe(false);
    body.complete();
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect(pieces.length).toBeLessThan(100);
    expect(Buffer.concat(pieces).equals(sent)).toBe(true);
    expect(held).toBe(0);
  });
});
