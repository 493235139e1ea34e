interface Waiting {
  start: () => void;
}

/**
 * So many calls at the same time per host, and among those that wait the tenants take turns: one with a thousand calls under way does
 * not keep another with a single one waiting behind them.
 */
export class FairTurns {
  private readonly hosts = new Map<string, { running: number; queues: Map<string, Waiting[]> }>();

  constructor(private readonly most: number) {}

  /** @returns what has to be called when the call is done @throws the signal's reason when it aborts before its turn */
  async take(host: string, tenant: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const state = this.hosts.get(host) ?? { running: 0, queues: new Map<string, Waiting[]>() };
    this.hosts.set(host, state);
    if (state.running < this.most) state.running += 1;
    else await this.wait(state.queues, tenant, signal);
    return () => {
      this.release(host);
    };
  }

  private wait(queues: Map<string, Waiting[]>, tenant: string, signal: AbortSignal): Promise<void> {
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
        reject(signal.reason as Error);
      };
      queue.push(waiting);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Gives the place to the tenant that has waited longest since its last turn. */
  private release(host: string): void {
    const state = this.hosts.get(host);
    if (state === undefined) return;
    const [tenant, queue] = state.queues.entries().next().value ?? [];
    const next = queue?.shift();
    if (tenant === undefined || queue === undefined || next === undefined) {
      state.running -= 1;
      if (state.running === 0) this.hosts.delete(host);
      return;
    }
    state.queues.delete(tenant);
    if (queue.length > 0) state.queues.set(tenant, queue); // to the end of the line
    next.start();
  }
}
