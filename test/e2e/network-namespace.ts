import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { lockNetwork } from '#test/harness';
import { type Running, startProgram } from './processes.js';

/** Runs a command of iproute2. @throws Error with what it said */
function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Returns why this machine cannot have network namespaces, or undefined. */
export function namespaceFault(): string | undefined {
  const name = `onefold-${randomBytes(4).toString('hex')}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'delete', name);
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1);
  }
}

/** A network with a loopback of its own, and one link to this machine: a customer's network. */
export class NetworkNamespace {
  private readonly name = `onefold-${randomBytes(4).toString('hex')}`;
  private readonly subnet = `198.18.${randomInt(256)}`; // A block for tests (RFC 2544).

  private constructor() {
    const { name, subnet } = this;
    const [outside, inside] = [`of${name.slice(-8)}`, 'outside'];
    ip('netns', 'add', name);
    try {
      ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
      ip('address', 'add', `${subnet}.1/30`, 'dev', outside);
      ip('link', 'set', outside, 'addrgenmode', 'none'); // an IPv6 address would come a second later
      ip('link', 'set', outside, 'up');
      ip('-n', name, 'address', 'add', `${subnet}.2/30`, 'dev', inside);
      ip('-n', name, 'link', 'set', inside, 'up');
      ip('-n', name, 'link', 'set', 'lo', 'up');
    } catch (error) {
      ip('netns', 'delete', name);
      throw error;
    }
  }

  static async create(): Promise<NetworkNamespace> {
    const release = await lockNetwork('alone');
    try {
      return new NetworkNamespace();
    } finally {
      await release();
    }
  }

  /** The address of this machine that its programs reach. */
  get gateway(): string {
    return `${this.subnet}.1`;
  }

  /** Its address that this machine reaches. */
  get address(): string {
    return `${this.subnet}.2`;
  }

  /** Starts a program in it. */
  start(program: string, args: string[], env: Record<string, string> = {}): Running {
    return startProgram('ip', ['netns', 'exec', this.name, program, ...args], env);
  }

  /** Starts a program of Node in it. */
  startNode(args: string[], env: Record<string, string> = {}): Running {
    return this.start(process.execPath, args, env);
  }

  /** Sends a request in it. @returns the body of the response @throws Error unless it is a success */
  async fetch(
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<string> {
    const program = `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(init)});
      process.stdout.write(await response.text()); process.exitCode = response.ok ? 0 : 1;`;
    const running = this.startNode(['--input-type=module', '-e', program]);
    const { code } = await running.exited;
    if (code === 0) return running.output();
    throw new Error(`${init.method ?? 'GET'} ${url} in the namespace failed: ${running.output()}`);
  }

  /** Deletes it with its link. Its programs have to be stopped before. */
  async delete(): Promise<void> {
    const release = await lockNetwork('alone');
    try {
      ip('netns', 'delete', this.name);
    } finally {
      await release();
    }
  }
}
