import type { CallAborts } from '#contract';

interface Waiting {
  start: () => void;
}

interface Host {
  running: number;
  /** Number of running calls by tenant. */
  held: Map<string, number>;
  queues: Map<string, Waiting[]>;
}

/**
 * Limits the calls that run at the same time per host. Tenants take turns among the waiting calls, so that a tenant with a single call
 * does not wait behind the thousand of another.
 */
export class FairTurns {
  private readonly hosts = new Map<string, Host>();

  /** @param maxPerTenant limits long calls, so that one tenant cannot occupy every turn for hours */
  constructor(
    private readonly maxRunning: number,
    private readonly maxPerTenant: number = maxRunning,
  ) {}

  /**
   * @returns a function to call when the call is done; a promise of it only where the call has to wait
   * @throws the signal's reason if it aborts while waiting
   */
  take(host: string, tenant: string, signal: CallAborts): (() => void) | Promise<() => void> {
    signal.throwIfAborted();
    const state: Host = this.hosts.get(host) ?? { running: 0, held: new Map(), queues: new Map() };
    this.hosts.set(host, state);
    const done = () => this.release(host, state, tenant);
    if (state.running >= this.maxRunning || !this.mayHold(state, tenant))
      return this.wait(state.queues, tenant, signal).then(() => done);
    hold(state, tenant);
    return done;
  }

  private mayHold({ held }: Host, tenant: string): boolean {
    return (held.get(tenant) ?? 0) < this.maxPerTenant;
  }

  private wait(queues: Map<string, Waiting[]>, tenant: string, signal: CallAborts): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(tenant) ?? [];
      queues.set(tenant, queue);
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      const stop = () => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) queues.delete(tenant);
        reject(signal.reason);
      };
      queue.push(waiting);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Gives the turn to the tenant whose last turn was longest ago, among those below their limit. */
  private release(host: string, state: Host, left: string): void {
    const { held, queues } = state;
    state.running -= 1;
    const rest = (held.get(left) ?? 0) - 1;
    if (rest > 0) held.set(left, rest);
    else held.delete(left);
    for (const [tenant, queue] of queues) {
      if (!this.mayHold(state, tenant)) continue;
      queues.delete(tenant);
      const next = queue.shift();
      if (queue.length > 0) queues.set(tenant, queue); // to the end of the line
      hold(state, tenant);
      next?.start();
      return;
    }
    if (state.running === 0) this.hosts.delete(host);
  }
}

function hold(state: Host, tenant: string): void {
  state.running += 1;
  state.held.set(tenant, (state.held.get(tenant) ?? 0) + 1);
}
