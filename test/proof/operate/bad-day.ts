import { setTimeout as sleep } from 'node:timers/promises';
import { type Running, startApp } from '../../e2e/processes.js';
import { readExposition, RecordedSeries } from '../../tools/promql/recorded-series.js';
import { readRules, replayRules } from '../../tools/promql/replay-rules.js';
import { type OwnServers, startOnOwnServers } from '../own-servers.js';
import { createMockIntegration } from '../../e2e/records.js';
import { BadProvider } from './bad-provider.js';

const callIntervalMs = 50;
const maxCallMs = 30_000;
/** The time of the rules goes so many times as fast: an outage of 12 s is one of two minutes to them. */
const haste = 10;
const scrapeIntervalMs = 1_000;
/** The readiness of a process, which is among its metrics, takes up to two seconds. */
const maxScrapeMs = 3_500;
/** Time between two events in which alerts of the first end. */
const restMs = 12_000;
/** Calls must succeed for so long before an event counts as over. */
const calmMs = 2_000;
const maxCalmWaitMs = 60_000;

interface CallMade {
  kind: string;
  /** Milliseconds of `performance.now()`. */
  at: number;
  ended: number;
  /** 0 for a call without a response. */
  status: number;
}

/** Figures of an event. */
export interface Measured {
  name: string;
  calls: number;
  failed: number;
  /** Failed calls by status; 0 is a call without a response. */
  statuses: Record<string, number>;
  /** From the end of the event to the end of the last failed call; 0 if none failed after it. */
  recoveryMs: number;
  /** The longest call. */
  slowestCallMs: number;
  /** Lines of the logs by level. */
  lines: { warn: number; error: number };
  alerts: string[];
}

/**
 * Onefold as processes under load: two gateways and two management services, one connector and one worker, on a PostgreSQL and a NATS of their
 * own. Twenty calls a second go to both gateways alternately, without retries: a list of a mock, one of accounts, and one of a provider.
 */
export class BadDay {
  private readonly calls: CallMade[] = [];
  private readonly series = new RecordedSeries();
  private readonly rules = readRules();
  private readonly ending = new AbortController();
  private readonly work: Promise<unknown>[] = [];
  private readonly begun = performance.now();
  /** Gateways that a load balancer would send calls to. */
  private readonly entrances = new Map<string, string>();
  private tokens: Record<string, string> = {};

  private constructor(
    readonly servers: OwnServers,
    readonly provider: BadProvider,
  ) {}

  static async begin(): Promise<BadDay> {
    const provider = await BadProvider.start();
    const day = new BadDay(await startOnOwnServers({}), provider);
    try {
      await day.prepare();
      return day;
    } catch (error) {
      await day.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.work);
    for (const { child } of Object.values(this.processes)) child.kill('SIGCONT');
    this.servers.signalPostgres('SIGCONT');
    await this.servers.stop();
    this.provider.stop();
  }

  /** The time of the rules, in seconds. */
  private get ruleTime(): number {
    return ((performance.now() - this.begun) / 1_000) * haste;
  }

  get processes(): Record<string, Running> {
    return this.servers.onefold.processes;
  }

  get env(): Record<string, string> {
    return this.servers.onefold.env ?? {};
  }

  process(name: string): Running {
    const running = this.processes[name];
    if (running === undefined) throw new Error(`there is no ${name}`);
    return running;
  }

  /** Starts a process, in place of one of the name, and waits until it is ready. @param more further settings */
  async start(name: string, more: Record<string, string> = {}): Promise<Running> {
    const app = name.split(' ')[0] as 'gateway' | 'management' | 'connector' | 'operations';
    const port = app === 'gateway' ? { PORT: this.portOf(name) } : {};
    const running = startApp(app, [], { ...this.env, ...port, ...more });
    this.processes[name] = running;
    await running.says(/"message":"ready"/);
    if (app === 'gateway' && Object.keys(more).length === 0) await this.addEntrance(name);
    return running;
  }

  /** Sends no more calls to a gateway, as a load balancer does that asks for its readiness. */
  leaveOut(name: string): void {
    this.entrances.delete(name);
  }

  async addEntrance(name: string): Promise<void> {
    const [, url = ''] = await this.process(name).says(/"address":"([^"]+)"/);
    this.entrances.set(name, url);
  }

  async readinessOf(name: string): Promise<string> {
    const observe = await this.observeOf(name);
    return await (await fetch(`${observe}/health/ready`)).text();
  }

  /** Calls with a token of the organization; the status is 0 without a response. */
  async callAs(token: string, turn = 0): Promise<number> {
    return await this.call('/v1/accounts?limit=1', token, turn);
  }

  /** Measures what callers and operators see of an event, until calls succeed again. */
  async measure(name: string, event: () => Promise<void>): Promise<Measured> {
    await this.calm();
    await sleep(restMs);
    await this.calm();
    const [from, ruleTime] = [performance.now(), this.ruleTime];
    const outputs = Object.entries(this.processes).map(
      ([one, { output }]) => [one, output().length] as const,
    );
    const lengths = new Map(outputs);
    const before = { ...this.processes };
    await event();
    const restored = performance.now();
    await sleep(calmMs);
    await this.calm();
    const calls = this.calls.filter(({ at, ended }) => at >= from || ended >= from);
    const failed = calls.filter(({ status }) => !isGood(status));
    const statuses: Record<string, number> = {};
    for (const { status } of failed) statuses[status] = (statuses[status] ?? 0) + 1;
    const last = Math.max(restored, ...failed.map(({ ended }) => ended));
    const text = [...new Set([...Object.values(before), ...Object.values(this.processes)])]
      .map((one) => {
        const known = Object.entries(before).find(([, running]) => running === one)?.[0];
        return one.output().slice(known === undefined ? 0 : lengths.get(known));
      })
      .join('\n');
    const fired = replayRules(this.rules, this.series, {
      from: Math.max(0, ruleTime - restMs / 100),
      to: this.ruleTime,
    });
    const count = (level: string) => text.split(`"level":"${level}"`).length - 1;
    return {
      name,
      calls: calls.length,
      failed: failed.length,
      statuses,
      recoveryMs: Math.round(last - restored),
      slowestCallMs: Math.round(Math.max(0, ...calls.map(({ at, ended }) => ended - at))),
      lines: { warn: count('warn'), error: count('error') },
      alerts: [
        ...new Set(
          fired
            .filter(({ at }) => at > ruleTime)
            .map(({ alert, severity }) => `${alert}${severity === 'page' ? '!' : ''}`),
        ),
      ],
    };
  }

  private async prepare(): Promise<void> {
    const { api } = this.servers.onefold;
    await this.addEntrance('gateway');
    await Promise.all([this.start('management 2'), this.start('gateway 2')]);
    const { accountId, token } = await createMockIntegration(api, 'bad-day');
    const made = await api.call('integrations_create', {
      path: { accountId },
      body: {
        provider_config: {
          type: 'ticketing_github',
          repository: 'octo-org/desk',
          url: this.provider.url,
          credential: { type: 'token', secret: 'agent-token' },
        } as never,
      },
    });
    const [, own = ''] = api.headers['authorization']?.split(' ') ?? [];
    this.tokens = { mock: token, account: own, provider: made.result.token.access.secret };
    this.work.push(this.load(), this.scrapeAll());
    await sleep(calmMs);
  }

  private portOf(name: string): string {
    return name === 'gateway' ? (this.env['PORT'] ?? '0') : '0';
  }

  private async observeOf(name: string): Promise<string> {
    const [, observe = ''] = await this.process(name).says(/"observe":"([^"]+)"/);
    return observe;
  }

  private async load(): Promise<void> {
    const paths = [
      ['mock', '/v1/ticketing/tickets?limit=1'],
      ['account', '/v1/accounts?limit=1'],
      ['provider', '/v1/ticketing/tickets/1'],
    ] as const;
    const running = new Set<Promise<void>>();
    for (let count = 0; !this.ending.signal.aborted; count += 1) {
      const [kind, path] = paths[count % paths.length] ?? paths[0];
      const at = performance.now();
      const made = this.call(path, this.tokens[kind] ?? '', count).then((status) => {
        this.calls.push({ kind, at, ended: performance.now(), status });
      });
      running.add(made);
      void made.finally(() => running.delete(made));
      await sleep(callIntervalMs);
    }
    await Promise.all(running);
  }

  private async call(path: string, token: string, turn = 0): Promise<number> {
    const urls = [...this.entrances.values()];
    try {
      const response = await fetch(`${urls[turn % urls.length]}${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(maxCallMs),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  private async scrapeAll(): Promise<void> {
    while (!this.ending.signal.aborted) {
      const next = sleep(scrapeIntervalMs);
      const at = this.ruleTime;
      await Promise.all(
        Object.keys(this.processes).map(async (name) =>
          this.series.scrape(at, name, await this.scrape(name)),
        ),
      );
      await next;
    }
  }

  private async scrape(name: string): Promise<ReturnType<typeof readExposition> | undefined> {
    const [, observe] = /"observe":"([^"]+)"/.exec(this.process(name).output()) ?? [];
    if (observe === undefined) return undefined;
    try {
      const response = await fetch(`${observe}/metrics`, {
        signal: AbortSignal.timeout(maxScrapeMs),
      });
      return readExposition(await response.text());
    } catch {
      return undefined;
    }
  }

  /** Waits until calls of each kind have succeeded for a while. */
  private async calm(): Promise<void> {
    for (const until = Date.now() + maxCalmWaitMs; ; await sleep(100)) {
      const recent = this.calls.filter(({ ended }) => ended > performance.now() - calmMs);
      const kinds = new Set(recent.map(({ kind }) => kind));
      if (kinds.size === 3 && recent.every(({ status }) => isGood(status))) return;
      if (Date.now() > until)
        throw new Error(
          `calls fail: ${JSON.stringify(recent.filter(({ status }) => !isGood(status)).slice(-5))}`,
        );
    }
  }
}

/** The provider has no ticket 1 and says 404. */
function isGood(status: number): boolean {
  return status === 200 || status === 404;
}
