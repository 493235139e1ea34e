import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import { type Service, startService } from '../api/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService(5, undefined, 1);
});
afterAll(() => service.stop());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const withKey = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n';

/** Asks for the connection of an agent, and leaves it open. @returns the socket, and the status of the response */
async function upgrade(address: string, headers: string): Promise<[Socket, number]> {
  const socket = connect({ port: Number(new URL(service.url).port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  socket.write(
    `GET /bridges/connect HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  return [socket, Number(first.toString().split(' ')[1])];
}

async function statuses(count: number, address: (n: number) => string, headers: string) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => upgrade(address(n), headers)),
  );
  return [...new Set(answers.map(([, status]) => status))];
}

describe('places of agents that are not admitted', () => {
  const credential = 'Authorization: Bearer a.b.c\r\n';
  const silent = `${credential}${withKey}`;

  it('are free again when the handshake of the upgrade is refused', async () => {
    expect(await statuses(250, (n) => `192.0.2.${n}`, credential)).toEqual([400]);
    expect((await upgrade('198.51.100.1', silent))[1]).toBe(101);
  });

  it('are shared among addresses, and free when their sockets have closed', async () => {
    const address = () => '198.51.100.2';
    expect(await statuses(20, address, silent)).toEqual([101]);
    expect((await upgrade(address(), silent))[1]).toBe(429);
    expect((await upgrade('198.51.100.3', silent))[1]).toBe(101);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => (await upgrade(address(), silent))[1] === 101);
  });

  it('are taken from the oldest by further agents', async () => {
    const [oldest] = await upgrade('203.0.113.250', silent);
    expect(await statuses(210, (n) => `203.0.113.${n}`, silent)).toEqual([101]);
    await until(() => oldest.destroyed || oldest.readableEnded);
  });

  it('are refused for a while to an address that does not complete its handshakes', async () => {
    const address = () => '198.51.100.4';
    for (let round = 0; round < 3; round += 1)
      expect(await statuses(10, address, credential)).toEqual([400]);
    await until(async () => (await upgrade(address(), silent))[1] === 429);
  });
});

it('closes the sockets of refused upgrades whose clients do not', async () => {
  const refused = await Promise.all(
    Array.from({ length: 50 }, (_, n) => upgrade(`192.0.2.${n}`, withKey)),
  );
  expect(refused.filter(([, status]) => status !== 401)).toEqual([]);
  // The end of the gateway alone leaves its half open: only a socket that is destroyed makes the next bytes fail.
  const gone = refused.map(([socket]) => new Promise((resolve) => socket.once('close', resolve)));
  const timer = setInterval(() => {
    for (const [socket] of refused) if (socket.writable) socket.write('x');
  }, 100);
  await Promise.all(gone);
  clearInterval(timer);
});
