import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a port of 127.0.0.1 that is free at this moment, for servers that need a fixed port. */
export async function freePort(): Promise<number> {
  const { port, close } = await takenPort();
  close();
  return port;
}

/** Occupies a port of 127.0.0.1 until it is closed. */
export async function takenPort(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port on 127.0.0.1');
  return { port: address.port, close: () => void server.close() };
}
