import { type Labels, RecordedSeries, type Sample } from './recorded-series.js';

const scrapeSeconds = 15;

type Service = 'gateway' | 'management' | 'connector' | 'operations';

/** A process as its metrics show it. Counts are per second. */
export interface Simulated {
  service: Service;
  /** False for one that does not answer, such as one that was killed. */
  isUp: boolean;
  /** Checks of readiness that do not hold. */
  failing: string[];
  /** Requests by status. */
  requests: Record<string, number>;
  /** Operations of connectors, by provider and outcome: `ticketing_jira failed`. */
  operations: Record<string, number>;
  /** Processes that a gateway hears, by what they serve. */
  heard: Record<string, number>;
  key: string;
  /** Seconds that the oldest task is due, which those with the database show; undefined while they cannot read it. */
  oldestTask: number | undefined;
  refused: Record<string, number>;
  /** How far gateways and connectors know of changes of tokens and integrations. */
  changes: 'certain' | 'idle' | 'starting' | 'unheard';
}

const checks: Readonly<Record<Service, readonly string[]>> = {
  gateway: ['process', 'bus', 'management'],
  management: ['process', 'bus', 'database'],
  connector: ['process', 'bus', 'management', 'database of records'],
  operations: ['process', 'bus', 'management', 'database of jobs', 'queue'],
};

/** An installation whose processes are scraped every 15 s: series in the shape in which processes print them. */
export class Installation {
  readonly series = new RecordedSeries();
  readonly processes: Record<string, Simulated> = {};
  now = 0;
  private readonly counters = new Map<string, number>();

  constructor() {
    for (const name of ['gateway 1', 'gateway 2']) {
      const gateway = this.add(name, 'gateway');
      gateway.requests = { 200: 10, 404: 0.2, 502: 0.002 };
      gateway.heard = { management: 2, ticketing: 1, edr: 1, chat: 0 };
    }
    for (const name of ['management 1', 'management 2'])
      this.add(name, 'management').requests = { 200: 1, 404: 0.01 };
    for (const [name, provider] of [
      ['connector of ticketing', 'ticketing_jira'],
      ['connector of edr', 'edr_crowdstrike'],
    ] as const)
      Object.assign(this.add(name, 'connector'), {
        requests: { 200: 9, 502: 0.002 },
        operations: { [`${provider} answered`]: 9, [`${provider} failed`]: 0.002 },
      });
    this.add('worker', 'operations');
  }

  add(name: string, service: Service): Simulated {
    return (this.processes[name] = {
      service,
      isUp: true,
      failing: [],
      requests: {},
      operations: {},
      heard: {},
      key: '2b7e151628ae',
      oldestTask: 0,
      refused: {},
      changes: 'certain',
    });
  }

  /** Returns the processes of some services. */
  of(...services: Service[]): Simulated[] {
    return Object.values(this.processes).filter(({ service }) => services.includes(service));
  }

  /** Goes on for so long. @param each called before each scrape */
  run(seconds: number, each: () => void = () => undefined): this {
    for (const end = this.now + seconds; this.now < end; this.now += scrapeSeconds) {
      each();
      for (const [name, process] of Object.entries(this.processes))
        this.series.scrape(this.now, name, process.isUp ? this.print(name, process) : undefined);
    }
    return this;
  }

  private print(name: string, process: Simulated): Sample[] {
    const { service, failing, heard, key, oldestTask } = process;
    const samples: Sample[] = [];
    const show = (metric: string, value: number, labels: Labels = {}) =>
      samples.push({ labels: { __name__: metric, service, ...labels }, value });
    const count = (metric: string, perSecond: number, labels: Labels) => {
      const id = JSON.stringify([name, metric, labels]);
      const value = (this.counters.get(id) ?? 0) + perSecond * scrapeSeconds;
      this.counters.set(id, value);
      show(metric, value, labels);
    };
    for (const check of checks[service])
      show('onefold_ready', failing.includes(check) ? 0 : 1, { check });
    show('onefold_build_info', 1, { version: '0.1.0' });
    show('onefold_requests_in_flight', 1);
    show('nodejs_eventloop_lag_p99_seconds', 0.01);
    show('process_resident_memory_bytes', 150e6);
    for (const use of ['data', 'bus']) show('onefold_key_in_use', 1, { use, key });
    for (const [status, perSecond] of Object.entries(process.requests)) {
      const labels = { operation: 'ticketing_query_tickets', status };
      count('onefold_request_duration_seconds_count', perSecond, labels);
      for (const le of ['0.1', '10', '+Inf'])
        count('onefold_request_duration_seconds_bucket', perSecond, { ...labels, le });
    }
    for (const [which, perSecond] of Object.entries(process.operations)) {
      const [provider = '', outcome = ''] = which.split(' ');
      count('onefold_provider_operation_duration_seconds_count', perSecond, { provider, outcome });
    }
    if (service === 'connector') {
      const unanswered = Object.entries(process.operations)
        .filter(([which]) => / (?:unavailable|late)$/.test(which))
        .reduce((sum, [, perSecond]) => sum + perSecond, 0);
      count('onefold_provider_unanswered_calls_total', unanswered, {});
    }
    if (service === 'gateway' || service === 'connector') {
      const lookups = service === 'gateway' ? 'tokens' : 'integrations';
      show('onefold_changes_known', 1, { lookups, state: process.changes });
    }
    for (const [serves, processes] of Object.entries(heard))
      show('onefold_processes_heard', processes, { serves });
    for (const [reason, perSecond] of Object.entries(process.refused))
      count('onefold_bus_refused_messages_total', perSecond, { reason });
    if (service !== 'gateway')
      for (const state of ['used', 'idle', 'waiting'])
        show('onefold_database_connections', state === 'idle' ? 3 : 0, { state });
    if ((service === 'management' || service === 'operations') && oldestTask !== undefined) {
      show('onefold_task_oldest_seconds', oldestTask);
      for (const gauge of [
        'tasks_failed',
        'job_oldest_seconds',
        'jobs_failing',
        'delivery_oldest_seconds',
      ])
        show(`onefold_${gauge}`, 0);
    }
    if (service === 'operations') count('onefold_job_records_total', 100, {});
    return samples;
  }
}
