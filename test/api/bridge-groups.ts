import { rmSync } from 'node:fs';
import { expect, jest } from '@jest/globals';
import type { ManagementSchemas } from '#contract';
import type { Service } from './service.js';
import { TestAgent } from './test-agent.js';

/** A bridge group in an account of its own. */
export interface Group {
  accountId: string;
  id: string;
  credential: string;
  path: string;
}

/** Bridge groups of a service, with agents in the process of the spec. */
export class BridgeGroups {
  private readonly agents: TestAgent[] = [];

  constructor(private readonly service: Service) {}

  /** Calls and expects success. */
  async ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
    const { status, message, result } = await this.service.call(method, path, body, token);
    expect([path, message]).toEqual([path, '']);
    expect(status).toBeLessThan(300);
    return result as T;
  }

  async create(token?: string): Promise<Group> {
    const made = await this.ask<{ account: { id: string } }>('POST', '/v1/accounts', {}, token);
    const accountId = made.account.id;
    const { bridge, credential } = await this.ask<{ bridge: { id: string }; credential: string }>(
      'POST',
      `/v1/bridges/${accountId}`,
      {},
      token,
    );
    const { id } = bridge;
    return { accountId, id, credential, path: `/v1/bridges/${accountId}/${id}` };
  }

  /** Starts an agent and waits until it is connected. @param folder the folder of its files; another one has another key */
  async connect(credential: string, folder?: string, settings?: object): Promise<TestAgent> {
    const agent = new TestAgent(folder);
    this.agents.push(agent);
    await agent.start(this.service.url, credential, settings);
    await agent.says(/"message":"connected"/);
    return agent;
  }

  async status({ path }: Group): Promise<ManagementSchemas['BridgeStatus'][]> {
    return await this.ask('GET', `${path}/status`);
  }

  async stopAgents(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.stop()));
    for (const { folder } of this.agents.splice(0))
      rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Lets intervals pass only when `jest.advanceTimersByTime` says so: gateways report their agents every five seconds, and disconnect those that
 * are not known any more, which would hide an event that is missing.
 */
export function stopIntervals(): void {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
}
