import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { root } from './folders.js';

/** Folder of the built simulators in a clone of the repository; a package has none. */
const built = new URL('dist/test/simulators/', root);

/** Simulator of a vendor in a separate process. */
export interface Simulator {
  url: string;
  /** Makes the next request fail. */
  fault: (fault: { kind: string; status?: number; seconds?: number }) => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the simulator of a provider. @returns undefined if it has none */
export async function startSimulator(provider: string): Promise<Simulator | undefined> {
  const main = fileURLToPath(new URL(`${provider}/main.js`, built));
  if (!existsSync(main)) return undefined;
  const child = spawn(process.execPath, ['--enable-source-maps', main, '--port', '0'], {
    cwd: fileURLToPath(new URL('../../', built)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child, provider);
  return {
    url,
    fault: async (fault) => {
      const body = JSON.stringify(fault);
      const answer = await request(`${url}/_simulator/fault`, { method: 'POST', body });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`the simulator of ${provider}: ${text}`);
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function addressOf(child: ChildProcess, provider: string): Promise<string> {
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the simulator of ${provider} exited with ${code} before it listened`)),
    );
  });
  const url = /http:\S+/.exec(line)?.[0];
  if (url === undefined) throw new Error(`the simulator of ${provider} printed no address`);
  return url;
}
