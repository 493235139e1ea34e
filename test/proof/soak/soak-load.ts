import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, operations } from '#contract';
import { configurationOf, type MockWalk, mockWalks, runMockWalk } from '../../walks/mock-walks.js';
import { type Integrated, integrateRecords, sendMessage } from '../own-servers.js';
import type { Onefold } from '../../e2e/onefold.js';
import { Latencies, PacedClient, Pacer } from './paced-client.js';

/** A failed part of the load waits so long, so that a service that is down is not called without a pause. */
const failedMs = 500;
const maxErrors = 20;

/** Calls every operation of mocks, on an integration that is made for it and deleted behind it, and what goes on beside them. */
export class SoakLoad {
  /** The first errors; none is expected. */
  readonly errors: string[] = [];
  errorCount = 0;
  /** How often all walks have ended, and how often each other part. */
  readonly done = { rounds: 0, walks: 0, management: 0, jobs: 0, messages: 0 };
  private readonly running: Promise<void>[] = [];
  private isOver = false;
  private next = 0;

  private constructor(
    readonly pacer: Pacer,
    readonly latencies: Latencies,
    private readonly administrator: PacedClient,
    private readonly accountId: string,
    private readonly integrated: Integrated,
    private readonly walks: readonly MockWalk[],
  ) {}

  /**
   * @param receiverUrl records that the jobs read, and where their sinks and webhooks send to
   * @param domains those whose mocks are walked; all when absent
   */
  static async prepare(
    onefold: Onefold,
    receiverUrl: string,
    domains?: readonly string[],
  ): Promise<SoakLoad> {
    const integrated = await integrateRecords(onefold, receiverUrl);
    await onefold.api.call('organizationWebhooks_create', {
      body: {
        filters: ['account_create'],
        url: `${receiverUrl}/hooks`,
        secret: { value: 'a secret of the soak' },
      },
    });
    const { account } = (await onefold.api.call('accounts_create', { body: {} })).result;
    const walks = mockWalks.filter(({ domain }) => domains?.includes(domain) ?? true);
    const load = { pacer: new Pacer(), latencies: new Latencies() };
    const administrator = new PacedClient(onefold.api.url, tokenOf(onefold), load);
    return new SoakLoad(load.pacer, load.latencies, administrator, account.id, integrated, walks);
  }

  /** The served operations of connectors that no walk calls. */
  get uncalled(): OperationId[] {
    const called = new Set(this.walks.flatMap(({ steps }) => steps.map(({ call }) => call)));
    return [...operations.values()]
      .filter(
        ({ side, state, id }) => side === 'connector' && state === 'served' && !called.has(id),
      )
      .map(({ id }) => id);
  }

  /** @param walkers walks at a time */
  start(walkers: number): void {
    for (let n = 0; n < walkers; n += 1) this.repeat(() => this.walk());
    this.repeat(() => this.manage());
    this.repeat(() => this.runJob());
    this.repeat(() => this.sendMessage());
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private repeat(work: () => Promise<void>): void {
    const loop = async () => {
      while (!this.isOver)
        try {
          await work();
        } catch (error) {
          this.errorCount += 1;
          if (this.errors.length < maxErrors) this.errors.push(String(error));
          await sleep(failedMs);
        }
    };
    this.running.push(loop());
  }

  private async walk(): Promise<void> {
    const walk = this.walks[this.next % this.walks.length] as MockWalk;
    this.next += 1;
    const { accountId } = this;
    const { result } = await this.administrator.call('integrations_create', {
      path: { accountId },
      body: { provider_config: configurationOf(walk) as never },
    });
    try {
      const client = this.administrator.as(result.token.access.secret);
      await runMockWalk(client, walk, `soak ${this.next}`);
    } finally {
      const path = { accountId, integrationId: result.integration.id };
      await this.administrator.call('integrations_delete', { path });
    }
    this.done.walks += 1;
    this.done.rounds = Math.floor(this.done.walks / this.walks.length);
  }

  /** Creates, changes, lists and deletes records of management; a webhook hears of it. */
  private async manage(): Promise<void> {
    const { administrator: api } = this;
    const { account } = (await api.call('accounts_create', { body: { name: 'soak' } })).result;
    const path = { accountId: account.id };
    await api.call('accounts_patch', {
      path,
      body: [{ op: 'add', path: '/labels', value: ['soak'] }],
    });
    await api.call('accounts_get', { path });
    await api.call('accounts_list', { query: { limit: 20 } });
    await api.call('integrations_list', { query: { limit: 20 } });
    await api.call('audit_list', { query: { limit: 20 } });
    await api.call('capabilities_list_providers');
    await api.call('accounts_delete', { path });
    this.done.management += 1;
  }

  private async runJob(): Promise<void> {
    const { token, sinkId } = this.integrated;
    const api = this.administrator.as(token);
    const input = { sink_integration_id: sinkId };
    const { result } = await api.call('operations_create', {
      body: { operation: 'ticketing_query_tickets', input },
    });
    const path = { operationId: result.operation.id };
    for (;;) {
      const { status, errors } = (await api.call('operations_get', { path })).result;
      if (status === 'COMPLETE') break;
      if (status === 'CANCELLED') throw new Error(`a job was cancelled: ${JSON.stringify(errors)}`);
      if (this.isOver) return;
      await sleep(200);
    }
    this.done.jobs += 1;
  }

  private async sendMessage(): Promise<void> {
    await this.pacer.turn();
    const name = `soak ${this.done.messages}`;
    const status = await sendMessage(this.administrator, this.integrated.token, name);
    if (status !== 202 && status !== 200 && status !== 204)
      throw new Error(`a message of a provider was answered with ${status}`);
    this.done.messages += 1;
    await sleep(100); // a token takes 20 a second
  }
}

function tokenOf({ api }: Onefold): string {
  return api.headers['authorization']?.replace('Bearer ', '') ?? '';
}
