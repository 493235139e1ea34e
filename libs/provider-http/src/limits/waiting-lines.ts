import type { Grant, WaitingCaller } from './budget-state.js';

/** A call that waits for its turn. */
export interface WaitingCall {
  /** Epoch milliseconds. */
  since: number;
  account: string;
  integration: string;
  isJob: boolean;
  size: number;
}

/** Callers, and calls of each, that a report names; the others follow when these are served. */
const maxReportedCallers = 300;
const maxReportedCalls = 10;

/** Calls that wait for a budget in this process, by caller and integration. */
export class WaitingLines<Call extends WaitingCall> {
  private readonly lines = new Map<string, Map<string, Call[]>>();
  private count = 0;
  private jobs = 0;

  get size(): number {
    return this.count;
  }

  /** Calls that are not of jobs. */
  get interactive(): number {
    return this.count - this.jobs;
  }

  add(call: Call): void {
    const key = keyOf(call);
    const line = this.lines.get(key) ?? new Map<string, Call[]>();
    this.lines.set(key, line);
    const queue = line.get(call.integration) ?? [];
    line.set(call.integration, queue);
    queue.push(call);
    this.change(call, 1);
  }

  remove(call: Call): void {
    const queue = this.lines.get(keyOf(call))?.get(call.integration);
    const at = queue?.indexOf(call) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    this.change(call, -1);
    this.tidy(keyOf(call), call.integration);
  }

  /** Takes the call out of the line whose turn is granted: of the integration whose last turn was longest ago. */
  take({ caller, isJob, size }: Grant): Call | undefined {
    const key = keyOf({ account: caller, isJob });
    const line = this.lines.get(key);
    for (const [integration, queue] of line ?? []) {
      if (queue[0]?.size !== size) continue;
      const [call] = queue.splice(0, 1);
      if (call !== undefined) this.change(call, -1);
      line?.delete(integration);
      if (queue.length > 0) line?.set(integration, queue);
      this.tidy(key, integration);
      return call;
    }
    return undefined;
  }

  all(): Call[] {
    return [...this.lines.values()].flatMap((line) => [...line.values()].flat());
  }

  /** Lists those who wait, for the report of the process. */
  report(now: number): WaitingCaller[] {
    const found: WaitingCaller[] = [];
    for (const line of this.lines.values()) {
      const queues = [...line.values()];
      const [call] = queues.flat();
      if (call === undefined || found.length >= maxReportedCallers) continue;
      const sizes = inTurn(queues).slice(0, maxReportedCalls);
      const since = Math.min(...queues.map(([first = call]) => first.since));
      const { account: caller, isJob } = call;
      found.push({ caller, isJob, sizes, waitedMs: Math.max(0, now - since) });
    }
    return found;
  }

  private change({ isJob }: Call, by: number): void {
    this.count += by;
    if (isJob) this.jobs += by;
  }

  private tidy(key: string, integration: string): void {
    const line = this.lines.get(key);
    if (line?.get(integration)?.length === 0) line.delete(integration);
    if (line?.size === 0) this.lines.delete(key);
  }
}

function keyOf({ account, isJob }: { account: string; isJob: boolean }): string {
  return `${isJob ? 'job' : 'call'} ${account}`;
}

/** The calls of several queues, one of each in turn. */
function inTurn(queues: readonly (readonly WaitingCall[])[]): number[] {
  const sizes: number[] = [];
  for (let round = 0; round < maxReportedCalls; round += 1)
    for (const queue of queues) {
      const call = queue[round];
      if (call !== undefined) sizes.push(call.size);
    }
  return sizes;
}
