import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 nobody has at this moment: for servers that have to be told theirs. */
export async function freePort(): Promise<number> {
  const { port, close } = await takenPort();
  close();
  return port;
}

/** A port of 127.0.0.1 that is taken until it is closed. */
export async function takenPort(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port on 127.0.0.1');
  return { port: address.port, close: () => void server.close() };
}
