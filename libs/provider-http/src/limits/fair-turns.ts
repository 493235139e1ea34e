import type { CallAborts } from '#contract';

interface Waiting {
  start: () => void;
}

/** Owner of a call: a tenant, and one of its credentials. */
export interface TurnOwner {
  tenant: string;
  credential: string;
}

/** Maximum numbers of calls that run at the same time at one host. */
export interface TurnLimits {
  running: number;
  perTenant?: number;
  perCredential?: number;
}

/** The running calls of a tenant, also by credential. */
interface TenantTurns {
  running: number;
  ofCredentials: Map<string, number>;
}

interface Host {
  running: number;
  /** The running calls by tenant. */
  held: Map<string, TenantTurns>;
  /** Calls that wait, by tenant and credential. */
  queues: Map<string, Map<string, Waiting[]>>;
}

/**
 * Limits the calls that run at the same time per host. Tenants take turns among the waiting calls, and credentials among those of a tenant,
 * so that one with a single call does not wait behind the thousand of another. Where calls are slow, none can occupy every turn.
 */
export class FairTurns {
  private readonly hosts = new Map<string, Host>();
  private readonly limits: Required<TurnLimits>;

  constructor({ running, perTenant = running, perCredential = perTenant }: TurnLimits) {
    this.limits = { running, perTenant, perCredential };
  }

  /** Calls that run, and that wait for their turn, at all hosts. */
  get held(): { running: number; waiting: number } {
    let [running, waiting] = [0, 0];
    for (const host of this.hosts.values()) {
      running += host.running;
      for (const queues of host.queues.values())
        for (const queue of queues.values()) waiting += queue.length;
    }
    return { running, waiting };
  }

  /**
   * @returns a function to call when the call is done; a promise of it only where the call has to wait
   * @throws the signal's reason if it aborts while waiting
   */
  take(host: string, owner: TurnOwner, signal: CallAborts): (() => void) | Promise<() => void> {
    signal.throwIfAborted();
    const state: Host = this.hosts.get(host) ?? { running: 0, held: new Map(), queues: new Map() };
    this.hosts.set(host, state);
    const done = () => this.release(host, state, owner);
    const { running, perTenant, perCredential } = this.limits;
    const ofTenant = state.held.get(owner.tenant);
    const mayRun =
      state.running < running &&
      (ofTenant?.running ?? 0) < perTenant &&
      heldBy(ofTenant, owner.credential) < perCredential;
    if (!mayRun) return this.wait(state, owner, signal).then(() => done);
    change(state, owner, 1);
    return done;
  }

  private wait({ queues }: Host, owner: TurnOwner, signal: CallAborts): Promise<void> {
    return new Promise((resolve, reject) => {
      const ofTenant = queues.get(owner.tenant) ?? new Map<string, Waiting[]>();
      queues.set(owner.tenant, ofTenant);
      const queue = ofTenant.get(owner.credential) ?? [];
      ofTenant.set(owner.credential, queue);
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      const stop = () => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) ofTenant.delete(owner.credential);
        if (ofTenant.size === 0) queues.delete(owner.tenant);
        reject(signal.reason);
      };
      queue.push(waiting);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  private release(host: string, state: Host, owner: TurnOwner): void {
    change(state, owner, -1);
    const next = this.findNext(state);
    if (next !== undefined) {
      change(state, next.owner, 1);
      next.waiting.start();
    } else if (state.running === 0) this.hosts.delete(host);
  }

  /** Takes a call out of the line: of the tenant whose last turn was longest ago, and of its credential for which it is so, below their limits. */
  private findNext(state: Host): { owner: TurnOwner; waiting: Waiting } | undefined {
    const { queues } = state;
    for (const [tenant, ofTenant] of queues) {
      const turns = state.held.get(tenant);
      if ((turns?.running ?? 0) >= this.limits.perTenant) continue;
      for (const [credential, queue] of ofTenant) {
        if (heldBy(turns, credential) >= this.limits.perCredential) continue;
        const waiting = queue.shift();
        if (waiting === undefined) continue;
        // To the end of both lines.
        ofTenant.delete(credential);
        if (queue.length > 0) ofTenant.set(credential, queue);
        queues.delete(tenant);
        if (ofTenant.size > 0) queues.set(tenant, ofTenant);
        return { owner: { tenant, credential }, waiting };
      }
    }
    return undefined;
  }
}

function heldBy(turns: TenantTurns | undefined, credential: string): number {
  return turns?.ofCredentials.get(credential) ?? 0;
}

function change(state: Host, { tenant, credential }: TurnOwner, by: 1 | -1): void {
  state.running += by;
  let turns = state.held.get(tenant);
  if (turns === undefined)
    state.held.set(tenant, (turns = { running: 0, ofCredentials: new Map() }));
  turns.running += by;
  const rest = heldBy(turns, credential) + by;
  if (rest > 0) turns.ofCredentials.set(credential, rest);
  else turns.ofCredentials.delete(credential);
  if (turns.running === 0) state.held.delete(tenant);
}
