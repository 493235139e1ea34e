import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '#contract';
import { type Answer, Client } from '../../e2e/client.js';

/** Lets calls begin at a rate. Turns that nobody took are not made up for. */
export class Pacer {
  /** Calls per second; undefined lets each begin at once. */
  rate: number | undefined;
  private next = 0;

  async turn(): Promise<void> {
    if (this.rate === undefined) return;
    const now = performance.now();
    const at = Math.max(now, this.next);
    this.next = at + 1_000 / this.rate;
    if (at > now) await sleep(at - now);
  }
}

/** Times of the calls since the last {@link Latencies.take}. */
export class Latencies {
  count = 0;
  private times: number[] = [];

  note(ms: number): void {
    this.count += 1;
    this.times.push(ms);
  }

  /** Returns the percentiles of the calls that ended since the last time. */
  take(): { calls: number; p50: number; p95: number; p99: number; max: number } {
    const times = this.times.sort((one, other) => one - other);
    this.times = [];
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
    return { calls: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  }
}

/** A client whose calls wait for their turn, and are timed from their request to the last byte of their response. */
export class PacedClient extends Client {
  constructor(
    url: string,
    token: string | undefined,
    private readonly load: { pacer: Pacer; latencies: Latencies },
  ) {
    super(url, token);
  }

  override as(token: string | undefined): PacedClient {
    return new PacedClient(this.url, token, this.load);
  }

  override async fetch<T>(id: OperationId, url: string, init: RequestInit): Promise<Answer<T>> {
    const { pacer, latencies } = this.load;
    await pacer.turn();
    const begun = performance.now();
    let ended = false;
    // The check of the response against the contract is not a part of the call.
    this.onAnswer = () => {
      if (!ended) latencies.note(performance.now() - begun);
      ended = true;
    };
    return await super.fetch<T>(id, url, init);
  }
}
