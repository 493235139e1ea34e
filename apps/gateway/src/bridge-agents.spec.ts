import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentLink } from '#bridge';
import { Cancellation, MessageBus, NatsTransport } from '#bus';
import { keyOf, Keyring } from '#secrets';
import { type NatsServer, startNats, until } from '#test/harness';
import { BridgeAgents } from './bridge-agents.js';

const keys = new Keyring([keyOf(randomBytes(32))]).derive('bus messages');
const bridgeId = '01900000-0000-7000-8000-000000000001';

let nats: NatsServer;
let connector: MessageBus;
const transports: NatsTransport[] = [];
const gateways: BridgeAgents[] = [];

async function connect(): Promise<MessageBus> {
  const transport = await NatsTransport.connect(nats.url, { keys });
  transports.push(transport);
  const bus = new MessageBus(transport);
  await transport.served();
  return bus;
}

beforeAll(async () => {
  Logger.overrideLogger(false); // There is no management service that agents are reported to.
  nats = await startNats();
  connector = await connect();
});
afterEach(() => {
  for (const gateway of gateways.splice(0)) gateway.onModuleDestroy();
});
afterAll(async () => {
  for (const transport of transports) await transport.close();
  await nats.stop();
});

/** The end of the connection to an agent that answers at once, or when it is released. */
class CountingAgent {
  requests = 0;
  taken = 0;
  readonly isFree = true;
  readonly responseMs = undefined;
  isOpen = true;
  readonly ended: Promise<string>;
  private end: (reason: string) => void = () => undefined;
  private hear: (message: { type: string }) => void = () => undefined;
  private held: (() => void)[] | undefined;

  constructor() {
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  async send(): Promise<unknown> {
    this.taken += 1;
    this.requests += 1;
    if (this.held !== undefined) await new Promise<void>((resolve) => this.held?.push(resolve));
    this.requests -= 1;
    return { status: 200, headers: {}, body: Readable.from([]) };
  }

  onMessage(hear: (message: { type: string }) => void): void {
    this.hear = hear;
  }

  tell(): void {
    // nothing listens
  }

  says(type: string): void {
    this.hear({ type });
  }

  /** Answers no request until it is released. */
  hold(): void {
    this.held = [];
  }

  release(): void {
    for (const answer of this.held ?? []) answer();
    this.held = undefined;
  }

  close(_code: number, reason: string): void {
    this.isOpen = false;
    this.end(reason);
  }
}

async function startGateway(agents: readonly CountingAgent[]): Promise<BridgeAgents> {
  const gateway = new BridgeAgents(await connect());
  gateways.push(gateway);
  for (const [at, link] of agents.entries())
    gateway.add({
      organizationId: 'the organization',
      bridgeId,
      key: `key ${at}`,
      instance: 'here',
      session: `session ${at}`,
      link: link as unknown as AgentLink,
    });
  return gateway;
}

const call = () =>
  connector.callBridge(
    bridgeId,
    {
      head: { method: 'GET', url: 'http://plant.internal/', headers: [], deadlineMs: 60_000 },
      body: undefined,
    } as unknown as Parameters<MessageBus['callBridge']>[1],
    { deadline: Date.now() + 60_000, cancellation: new Cancellation() },
  );

const takenBy = (agents: readonly CountingAgent[]) =>
  agents.reduce((sum, { taken }) => sum + taken, 0);

describe('the calls of a group with agents at several gateways', () => {
  /** Makes as many calls as there are turns, until they go to the agents of two gateways as often as expected. */
  const untilShared = (
    [one, other]: readonly [CountingAgent[], CountingAgent[]],
    expected: readonly [number, number],
  ) =>
    until(async () => {
      const before = [takenBy(one), takenBy(other)] as const;
      const total = expected[0] + expected[1];
      for (let made = 0; made < total; made += 1) await call();
      return takenBy(one) - before[0] === expected[0] && takenBy(other) - before[1] === expected[1];
    });

  it('go to a gateway by the number of agents that take calls there', async () => {
    const one = [new CountingAgent()];
    const three = [new CountingAgent(), new CountingAgent(), new CountingAgent()];
    await startGateway(one);
    await startGateway(three);
    await untilShared([one, three], [20, 60]);
    three[0]?.says('moved');
    await untilShared([one, three], [20, 40]);
    three[1]?.close(1000, 'stopped');
    await untilShared([one, three], [20, 20]);
  });

  it('go to a gateway with fewer calls under way for each agent', async () => {
    const one = [new CountingAgent()];
    const two = [new CountingAgent(), new CountingAgent()];
    await startGateway(one);
    await startGateway(two);
    await untilShared([one, two], [20, 40]);
    for (const agent of [...one, ...two]) agent.hold();
    const calls = Array.from({ length: 12 }, () => call());
    const underWay = () => [...one, ...two].map(({ requests }) => requests);
    await until(() => underWay().reduce((sum, count) => sum + count, 0) === calls.length);
    expect(underWay()).toEqual([4, 4, 4]);
    for (const agent of [...one, ...two]) agent.release();
    await Promise.all(calls);
  });
});
