import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './client.js';
import { newFolder } from './onefold.js';
import { type Running, startApp } from './processes.js';

export interface AgentSettings {
  /** The folder of its files; another one has another key. */
  folder?: string;
  allow: object[];
  /** The secrets that it keeps. */
  secrets?: object[];
}

/** Starts an agent of a group as a process of its own. */
export function startAgent(url: string, credential: string, settings: AgentSettings): Running {
  return startApp('bridge-agent', [writeAgentFile(url, settings)], {
    BRIDGE_CREDENTIAL: credential,
  });
}

/** @returns the path of the file */
export function writeAgentFile(
  server: string,
  { folder = newFolder(), ...settings }: AgentSettings,
): string {
  const file = join(folder, 'bridge-agent.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ server, key_file: 'agent.key', ...settings }));
  return file;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns an allow-list with the host of an address. */
export function allowed(url: string, more: object = {}): object[] {
  return [{ origin: new URL(url).origin, methods, ...more }];
}

export async function createGroup(api: Client, accountId: string, labels: string[] = []) {
  const made = await api.call('bridges_create', { path: { accountId }, body: { labels } });
  return { id: made.result.bridge.id, credential: made.result.credential };
}

/** Waits for a condition; the timeout of the test ends it. */
export async function until(isDone: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
}
