import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of a process. Labels are operations and statuses, never ids, because the number of their values must stay small. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Histogram<'operation' | 'status'>;
  private readonly places = new Map<string, (() => number)[]>();
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
      'Requests that wait for their response.',
      () => this.inFlight,
    );
    const { places } = this;
    new Gauge({
      name: 'onefold_places_held',
      help: 'Places that are held until what they are for ends, by kind: docs/limits.md.',
      labelNames: ['place'],
      registers: [this.registry],
      collect() {
        for (const [place, readers] of places)
          this.set(
            { place },
            readers.reduce((sum, read) => sum + read(), 0),
          );
      },
    });
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

  /** Registers a kind of place. Several parts of a process may hold places of one kind; the metric shows their sum. */
  place(name: string, read: () => number): void {
    this.places.set(name, [...(this.places.get(name) ?? []), read]);
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
