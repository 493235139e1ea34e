import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../e2e/client.js';
import type { Onefold } from '../e2e/onefold.js';
import { type Accepted, countSurvived, type Survived, waitForEnd } from './count-survived.js';
import {
  integrateRecords,
  type OwnServers,
  sendMessage,
  startOnOwnServers,
} from './own-servers.js';
import { RecordServer } from './record-server.js';

export const victims = [
  'operations',
  'connector',
  'gateway',
  'management',
  'postgres',
  'nats',
] as const;
/** One of the processes, the second worker, or all of them at the same moment. */
export type Victim = (typeof victims)[number] | 'operations 2' | 'everything';

export interface KillPlan {
  /** Accounts that are created; each is a delivery to each webhook. */
  accounts: number;
  webhooks: number;
  /** Messages of the provider; each is a delivery to the receiver of the integration. */
  messages: number;
  jobs: number;
  /** Records of each job. */
  records: number;
  pageRecords: number;
  /** Processes to kill, in this order, while the work goes on. */
  kills: readonly Victim[];
  /** Time for all of it. */
  withinMs: number;
  log: (line: string) => void;
}

/** Characters of the output of a process that ended. */
const maxOutput = 2_000;

/** Work in equal parts, one more than there are kills: each kill lets the next part begin. */
class Parts {
  /** The step that is done now: the error of a plan that takes too long names it. */
  step = 'the work before kill 1';
  private begun = 1;
  constructor(
    private readonly count: number,
    readonly until: number,
    private readonly server: RecordServer,
    private readonly onefold: Onefold,
  ) {}

  beginNext(): void {
    this.begun += 1;
  }

  /** How many of so many are in the parts that have begun, without the given share of the newest. */
  sizeOf(total: number, withoutShare = 0): number {
    return Math.floor((total * (this.begun - withoutShare)) / this.count);
  }

  async waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) {
      const { deliveries, batches } = this.server;
      if (Date.now() > this.until)
        throw new Error(
          `${this.step} took too long, at ${deliveries.size} deliveries and ${batches.size} batches${this.ended()}`,
        );
      await sleep(20);
    }
  }

  /** Names the processes that ended without being killed, with the end of their output. */
  private ended(): string {
    return Object.entries(this.onefold.processes)
      .filter(([, { child }]) => child.exitCode !== null)
      .map(([name, { output }]) => `\n${name} has ended:\n${output().slice(-maxOutput)}`)
      .join('');
  }
}

/**
 * Creates deliveries and jobs while it kills processes with SIGKILL, waits until all has ended, and counts at the receiver. Every kill meets
 * work of every kind. Every other one comes while the receiver has taken a batch and a delivery and has answered neither.
 */
export async function surviveKills(plan: KillPlan): Promise<Survived> {
  const server = await RecordServer.start(plan.records);
  const servers = await startOnOwnServers({ JOB_PAGE_RECORDS: String(plan.pageRecords) });
  try {
    const { onefold } = servers;
    startAnother(onefold, 'operations', 'operations 2');
    const integrated = await integrateRecords(onefold, server.url);
    await createWebhooks(onefold.api, plan.webhooks, `${server.url}/hooks`);
    const until = Date.now() + plan.withinMs;
    const parts = new Parts(plan.kills.length + 1, until, server, onefold);
    const accepted: Accepted = { accounts: [], messages: [], jobIds: [] };
    const working = work(onefold.api, integrated, { plan, parts, accepted, until });
    await Promise.race([working, killAll(servers, server, plan, parts)]);
    await working;
    plan.log('all is created, waiting for its end');
    await waitForEnd(servers.databaseUrl, until);
    return await countSurvived(servers.databaseUrl, server, plan, accepted);
  } finally {
    await servers.stop();
    await server.stop();
  }
}

async function killAll(
  servers: OwnServers,
  server: RecordServer,
  plan: KillPlan,
  parts: Parts,
): Promise<void> {
  const deliveries = plan.accounts * plan.webhooks + plan.messages;
  const batches = plan.jobs * Math.ceil(plan.records / plan.pageRecords);
  /** True when a third of the newest part has arrived. */
  const isAmidst = () =>
    server.deliveries.size >= parts.sizeOf(deliveries, 2 / 3) &&
    server.batches.size >= parts.sizeOf(batches, 2 / 3);
  for (const [index, victim] of plan.kills.entries()) {
    const name = `kill ${index + 1} of ${plan.kills.length}: ${victim}`;
    parts.step = `the work before ${name}`;
    await parts.waitUntil(isAmidst);
    parts.beginNext();
    // The other way round in each row of victims.
    const isHeld = (index + Math.floor(index / victims.length)) % 2 === 0;
    parts.step = `the wait for a batch and a delivery before ${name}`;
    const release = isHeld ? await server.hold(parts.until) : undefined;
    parts.step = `${name}${isHeld ? ' before an answer' : ''}`;
    plan.log(
      `${parts.step}, at ${server.deliveries.size} deliveries and ${server.batches.size} batches`,
    );
    const killing = kill(servers, victim);
    release?.();
    await killing;
  }
  parts.step = 'the work behind the last kill';
}

function startAnother(
  onefold: Onefold,
  app: 'operations' | 'connector' | 'gateway' | 'management',
  name: string = app,
): NonNullable<Onefold['processes'][string]> {
  const next = onefold.startAnother?.(app);
  if (next === undefined) throw new Error('there is one process only');
  onefold.processes[name] = next;
  return next;
}

async function kill(servers: OwnServers, victim: Victim): Promise<void> {
  if (victim === 'everything') {
    await Promise.all([...victims, 'operations 2' as const].map((one) => kill(servers, one)));
    return;
  }
  if (victim === 'postgres') return await servers.killPostgres();
  if (victim === 'nats') return await servers.killNats();
  const { onefold } = servers;
  await onefold.processes[victim]?.stop('SIGKILL');
  const app = victim === 'operations 2' ? 'operations' : victim;
  // A process that starts while PostgreSQL or NATS is away may end, as it does for its orchestrator, which starts it again.
  for (let attempt = 1; ; attempt += 1) {
    const next = startAnother(onefold, app, victim);
    try {
      await next.says(/"message":"ready"/, 120_000);
      return;
    } catch (error) {
      if (next.child.exitCode === null || attempt === 10) throw error;
    }
  }
}

async function createWebhooks(api: Client, count: number, url: string): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await api.call('organizationWebhooks_create', {
      body: {
        name: `hook-${index}`,
        filters: ['account_create'],
        url: `${url}/${index}`,
        secret: { value: 'a signing secret of the proof' },
      },
    });
}

interface Working {
  plan: KillPlan;
  parts: Parts;
  accepted: Accepted;
  until: number;
}

async function work(
  api: Client,
  { token, sinkId }: { token: string; sinkId: string },
  { plan, parts, accepted, until }: Working,
): Promise<void> {
  const inParts = (width: number, count: number, one: (index: number) => Promise<void>) =>
    inParallel(width, count, async (index) => {
      await parts.waitUntil(() => index < parts.sizeOf(count));
      await one(index);
    });
  await Promise.all([
    inParts(4, plan.accounts, async (index) => {
      const name = `account-${index}`;
      await persist(until, async () => {
        const { status } = await api.send('accounts_create', { body: { name } });
        return status === 200 || status === 409; // one whose response was lost exists: its name is taken
      });
      accepted.accounts.push(name);
    }),
    inParts(1, plan.messages, async (index) => {
      const message = `message-${index}`;
      await persist(until, async () => (await sendMessage(api, token, message)) === 204);
      accepted.messages.push(message);
    }),
    inParts(2, plan.jobs, async (index) => {
      accepted.jobIds.push(await createJob(api.as(token), sinkId, index, until));
    }),
  ]);
}

async function createJob(
  api: Client,
  sinkId: string,
  index: number,
  until: number,
): Promise<string> {
  let id = '';
  await persist(until, async () => {
    const { status, body } = await api.send<{ result: { operation: { id: string } } }>(
      'operations_create',
      {
        headers: { 'idempotency-key': `job-${index}` },
        body: { operation: 'ticketing_query_tickets', input: { sink_integration_id: sinkId } },
      },
    );
    if (status !== 200) return false;
    ({ id } = body.result.operation);
    return true;
  });
  return id;
}

/** Repeats a request until it succeeds: while a process is killed it is refused or cut off. */
async function persist(until: number, request: () => Promise<boolean>): Promise<void> {
  let last: unknown;
  while (Date.now() < until) {
    const done = await request().catch((error: unknown) => {
      last = error;
      return false;
    });
    if (done) return;
    await sleep(200);
  }
  throw new Error('a request did not succeed in time', { cause: last });
}

async function inParallel(
  width: number,
  count: number,
  one: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await one(index);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}
