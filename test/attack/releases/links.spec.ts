import { afterEach, describe, expect, it } from '@jest/globals';
import { AgentLink, maxStreams, maxUnreadBodyBytes, windowBytes } from '#bridge';
import type { Bus } from '#bus';
import { BridgeAgents } from '../../../apps/gateway/src/bridge-agents.js';
import { encodeFrame, FrameKind } from '../../../libs/bridge/src/frames.js';
import { FakeSocket } from '../hostile-frames.js';

const request = {
  method: 'GET',
  url: 'http://host/',
  headers: {},
  hasBody: false,
  timeoutMs: 1_000,
};
const head = Buffer.from('{"status":200,"headers":{}}');
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const bus = {
  subscribe: () => () => undefined,
  serveBridge: () => ({ setShare: () => undefined, stop: () => undefined }),
  call: () => Promise.resolve({ invalid: [] }),
} as unknown as Bus;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** An agent at a gateway, with as many requests as it takes, none of which is answered. */
async function connect() {
  const agents = new BridgeAgents(bus);
  const socket = new FakeSocket();
  const link = new AgentLink(socket.asWebSocket);
  const ids = { organizationId: 'org_1', bridgeId: 'brg_1', key: 'k', instance: 'i', session: 's' };
  agents.add({ ...ids, link });
  const caller = new AbortController();
  const sent = Array.from({ length: maxStreams }, () =>
    link.send(request, undefined, caller.signal),
  );
  const ended = Promise.allSettled(sent);
  expect(agents.held.requests).toBe(maxStreams);
  await expect(link.send(request, undefined, caller.signal)).rejects.toThrow(String(maxStreams));
  const each = (send: (id: number) => Buffer) => {
    for (let id = 1; id <= maxStreams; id += 1) socket.receive(send(id));
  };
  cleanups.push(() => {
    socket.terminate();
    agents.onModuleDestroy();
  });
  return { agents, socket, link, caller, sent, ended, each };
}

type Connected = Awaited<ReturnType<typeof connect>>;

/** Reads the bodies of all responses to their end, or up to their first piece. */
async function read({ sent }: Connected, isWhole: boolean): Promise<void> {
  const reading = sent.map(async (response) => {
    for await (const _piece of (await response).body) if (!isWhole) return;
  });
  await Promise.allSettled(reading);
}

const headOf = (id: number) => encodeFrame(FrameKind.head, id, head);
const dataOf = (id: number) => encodeFrame(FrameKind.data, id, Buffer.from('half'));

describe('a request at an agent', () => {
  const endings: Record<string, (connected: Connected) => void | Promise<void>> = {
    'is not answered, and its caller leaves': ({ caller }) => caller.abort(new Error('left')),
    'is answered with half a body, and its caller leaves': ({ each, caller }) => {
      each(headOf);
      each(dataOf);
      caller.abort(new Error('left'));
    },
    'is answered with half a body, and its reader stops': async (connected) => {
      connected.each(headOf);
      connected.each(dataOf);
      await read(connected, false);
    },
    'is answered with half a body, and broken off': ({ each }) => {
      each(headOf);
      each(dataOf);
      each((id) => encodeFrame(FrameKind.reset, id, Buffer.from('broken')));
    },
    'is answered with a failure': ({ each }) =>
      each((id) => encodeFrame(FrameKind.head, id, Buffer.from('{"failure":{"reason":"late"}}'))),
    'is answered with an invalid response': ({ each }) =>
      each((id) => encodeFrame(FrameKind.head, id, Buffer.from('{"status":"x"}'))),
    'is answered with an invalid frame': ({ socket }) => socket.receive(Buffer.from([9])),
    'is answered, and read': async (connected) => {
      connected.each(headOf);
      connected.each((id) => encodeFrame(FrameKind.end, id));
      await read(connected, true);
    },
    'loses its agent': ({ socket }) => socket.terminate(),
  };

  it.each(Object.entries(endings))('is counted no more when it %s', async (_, end) => {
    const connected = await connect();
    await end(connected);
    await connected.ended;
    await settled();
    expect(connected.agents.held).toEqual({ requests: 0, unreadBytes: 0 });
  });
});

describe("bytes of an agent's connection that nobody has read", () => {
  const endings: Record<string, (connected: Connected) => void | Promise<void>> = {
    'callers leave': ({ caller }) => caller.abort(new Error('left')),
    'agent breaks them off': ({ each }) =>
      each((id) => encodeFrame(FrameKind.reset, id, Buffer.from('broken'))),
    'agent sends an invalid frame': ({ socket }) => socket.receive(Buffer.from([9])),
    'agent is lost': ({ socket }) => socket.terminate(),
    'reader reads them': async (connected) => {
      connected.each((id) => encodeFrame(FrameKind.end, id));
      await read(connected, true);
    },
  };

  it.each(Object.entries(endings))('are counted no more when their %s', async (_, end) => {
    const connected = await connect();
    const { agents, each, ended } = connected;
    each(headOf);
    await ended;
    for (let bytes = 0; bytes < windowBytes; bytes += 65_536)
      each((id) => encodeFrame(FrameKind.data, id, Buffer.alloc(65_536)));
    expect(agents.held.unreadBytes).toBe(maxUnreadBodyBytes);
    await end(connected);
    // Readers that come later get what was there, and give its room back.
    await read(connected, true);
    await settled();
    expect(agents.held).toEqual({ requests: 0, unreadBytes: 0 });
  });
});
