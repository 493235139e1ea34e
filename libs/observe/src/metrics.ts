import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '#config/runtime';
import type { Health } from './health.js';

/** Numbers of one metric, each with the values of its labels. */
type Values = Iterable<readonly [labels: readonly string[], value: number]>;

/** Prometheus metrics of a process. Labels are operations and statuses, never ids, because the number of their values must stay small. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Histogram<'operation' | 'status'>;
  private readonly readers = new Map<string, (() => Values)[]>();
  private inFlight = 0;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: 'onefold_request_duration_seconds',
      help: 'Seconds from the first byte of a request to the last byte of its response.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 300],
      registers: [this.registry],
    });
    this.gauge(
      'onefold_requests_in_flight',
      'Requests that wait for their response, and tasks that run.',
      () => this.inFlight,
    );
    this.gaugeBy('onefold_build_info', 'The version that runs; always 1.', ['version'], () => [
      [[version], 1],
    ]);
  }

  /** Starts timing a request. The returned function must be called once, with the status of the response. */
  request(operation: string): (status: number) => void {
    const started = performance.now();
    this.inFlight += 1;
    return (status) => {
      this.inFlight -= 1;
      this.requests.observe({ operation, status }, (performance.now() - started) / 1000);
    };
  }

  /** Registers a number that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /**
   * Registers numbers per value of labels, which are read at each scrape; what is not among them has no series. Several parts of a process may
   * register one metric, which shows the sum of their numbers.
   */
  gaugeBy(name: string, help: string, labels: readonly string[], read: () => Values): void {
    const known = this.readers.get(name);
    if (known !== undefined) return void known.push(read);
    const readers = [read];
    this.readers.set(name, readers);
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const one of readers)
          for (const [values, value] of one()) this.labels(...values).inc(value);
      },
    });
  }

  /** True if the process shows the metric. */
  has(name: string): boolean {
    return this.registry.getSingleMetric(name) !== undefined;
  }

  /** Registers a kind of place. Several parts of a process may hold places of one kind; the metric shows their sum. */
  place(name: string, read: () => number): void {
    this.gaugeBy(
      'onefold_places_held',
      'Places that are held until what they are for ends, by kind: docs/limits.md.',
      ['place'],
      () => [[[name], read()]],
    );
  }

  /** Shows the result of each check of readiness. The checks run at a scrape as they do when somebody asks. */
  showReadiness(health: Health): void {
    new Gauge({
      name: 'onefold_ready',
      help: '1 for each check of readiness that holds, 0 for one that does not.',
      labelNames: ['check'],
      registers: [this.registry],
      async collect() {
        const { checks } = await health.readiness();
        this.reset();
        for (const [check, result] of Object.entries(checks))
          this.set({ check }, result === 'ok' ? 1 : 0);
      },
    });
  }

  /** Registers a histogram of seconds per value of labels; the values must be few. @returns what notes one */
  histogramBy<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): (seconds: number, ...values: { [Index in keyof Labels]: string }) => void {
    const histogram = new Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 300],
      registers: [this.registry],
    });
    return (seconds, ...values) => histogram.labels(...values).observe(seconds);
  }

  counter(name: string, help: string): { add: (count?: number) => void } {
    const counter = new Counter({ name, help, registers: [this.registry] });
    return { add: (count = 1) => counter.inc(count) };
  }

  /** Registers a counter per value of a label, or of several; the values must be few and known in advance. */
  counterBy<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): { add: (...values: { [Index in keyof Labels]: string }) => void } {
    const counter = new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
    });
    return { add: (...values) => counter.labels(...values).inc() };
  }
}
