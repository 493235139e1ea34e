import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Fault, LoggedRequest, Violation } from '#test/simulators';

const root = fileURLToPath(new URL('../../', import.meta.url)); // The folder dist.

/** Simulator of a vendor in a separate process. */
export interface RunningSimulator {
  url: string;
  /** Sets the faults of the next requests; none if absent. */
  fault: (fault?: Fault) => Promise<void>;
  /** Limits requests from now on: `requests` in so many seconds. */
  limit: (requests: number, seconds: number) => Promise<void>;
  /** Creates further tickets. */
  seed: (count: number) => Promise<void>;
  /** Requests since the start or the last reset, oldest first. */
  requests: () => Promise<LoggedRequest[]>;
  /** Requests and responses that the vendor's description does not allow. */
  violations: () => Promise<Violation[]>;
  /** Resets the state to that after the start. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts `test/simulators/<provider>`. */
export async function startSimulator(provider: string): Promise<RunningSimulator> {
  const child = launch([`${root}test/simulators/${provider}/main.js`, '--port', '0']);
  const url = await address(child, provider);
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/_simulator/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${provider} simulator: ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const tell = (method: string, path: string, body?: object) =>
    ask(method, path, body).then(() => undefined);
  return {
    url,
    fault: (fault) => (fault ? tell('POST', 'fault', fault) : tell('DELETE', 'fault')),
    limit: (requests, seconds) => tell('POST', 'limit', { requests, seconds }),
    seed: (count) => tell('POST', 'seed', { count }),
    requests: () => ask('GET', 'requests') as Promise<LoggedRequest[]>,
    violations: () => ask('GET', 'violations') as Promise<Violation[]>,
    reset: () => tell('POST', 'reset'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** On Linux the simulator ends with the test process, even if that is killed. */
function launch(args: string[]): ChildProcess {
  const command = [process.execPath, '--enable-source-maps', ...args];
  const [program = '', ...rest] =
    process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL', '--', ...command] : command;
  return spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function address(child: ChildProcess, provider: string): Promise<string> {
  const line = new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the simulator of ${provider} ended with code ${code} before it listened`)),
    );
  });
  const url = /http:\S+/.exec(await line)?.[0];
  if (url === undefined) throw new Error(`the simulator of ${provider} named no address`);
  return url;
}
