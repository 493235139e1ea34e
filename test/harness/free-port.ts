import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 nobody has at this moment: for servers that have to be told theirs. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no port on 127.0.0.1');
  return address.port;
}
