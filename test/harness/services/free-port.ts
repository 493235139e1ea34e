import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports that freePort() chooses from. Systems take those of `listen(0)` and of outgoing connections from 32,768 up, so that nobody
 * else is given one of these between the choice and the listening, or while a test has stopped its server to start it again.
 */
const firstPort = 20_000;
const lastPort = 31_999;
/** Workers choose different ports: theirs are so far apart. */
const maxWorkers = 32;
const portsOfWorker = (lastPort + 1 - firstPort) / maxWorkers;
/** Jest counts its workers from 1; its main process, which starts the shared servers, has no number. */
const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % maxWorkers;
/** Random, because other runs on this machine choose too. It only goes on, so that a port comes again after all others. */
let turn = Math.floor(Math.random() * portsOfWorker);

/** Finds a port of 127.0.0.1 that is free and given to no other test, for servers that need a fixed port. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < portsOfWorker; tried += 1) {
    turn = (turn + 1) % portsOfWorker;
    const port = firstPort + turn * maxWorkers + worker;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port of 127.0.0.1 from ${firstPort} to ${lastPort} is free for this worker`);
}

/** True if a server can listen on the port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Occupies a port of 127.0.0.1 until it is closed. */
export async function takenPort(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port on 127.0.0.1');
  return { port: address.port, close: () => void server.close() };
}
