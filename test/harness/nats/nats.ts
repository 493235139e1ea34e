import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../services/free-port.js';
import { findNatsServer } from './nats-binary.js';

/** A nats-server of a single test, which may stop it and start it again on the same port. */
export interface NatsServer {
  url: string;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
  start: () => Promise<void>;
}

/**
 * Starts a nats-server.
 * @param configuration in the format of nats.conf, such as users and their permissions
 * @param variables environment variables that the configuration uses
 */
export async function startNats(
  configuration = '',
  variables: Record<string, string> = {},
): Promise<NatsServer> {
  const program = await findNatsServer();
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    start: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'onefold-nats-'));
      const file = join(folder, 'nats.conf');
      writeFileSync(file, configuration);
      child = launch(program, ['-a', '127.0.0.1', '-p', String(port), '-c', file], variables);
      await waitUntilListening(child, port).finally(() => rmSync(folder, { recursive: true }));
    },
    stop: async (signal = 'SIGTERM') => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
  await server.start();
  return server;
}

/** Starts the server. On Linux it is killed together with the test process. */
function launch(program: string, args: string[], variables: Record<string, string>): ChildProcess {
  const options = { stdio: 'ignore', env: { ...process.env, ...variables } } as const;
  return process.platform === 'linux'
    ? spawn('setpriv', ['--pdeathsig', 'KILL', '--', program, ...args], options)
    : spawn(program, args, options);
}

async function waitUntilListening(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`nats-server exited with code ${child.exitCode}`);
    const socket = createConnection(port, '127.0.0.1');
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (connected) return;
    await sleep(10);
  }
  child.kill('SIGKILL');
  throw new Error(`nats-server did not listen on 127.0.0.1:${port} within 5 s`);
}
