/** Checks one thing that a process needs to serve requests. It throws or returns false while that is unavailable. */
export type Check = () => boolean | void | Promise<boolean | void>;

export interface Readiness {
  ready: boolean;
  /** The result of each check: `ok` or the problem. */
  checks: Record<string, string>;
}

/** The facts that a process tells operators of itself. Processes of other versions may tell less. */
export interface ProcessReport extends Readiness {
  /** Such as `gateway`. */
  kind?: string;
  version?: string;
  /** ISO 8601. */
  startedAt?: string;
  /** The clock of the process, epoch milliseconds. */
  now?: number;
  /** The domains of a connector. */
  domains?: readonly string[];
  /** The id of the key that it seals with; absent in a process with none but that of the bus. */
  key?: string;
  /** The id of the key of the bus. */
  busKey?: string;
  /** Hosts of providers that it does not call for a while. */
  paused?: readonly { host: string; reason: string; at: string }[];
  /** Other processes that it calls, by the subjects' owners: `management` or domains. */
  peers?: readonly { process: string; serves: readonly string[] }[];
  /** Processes whose messages it lately refused. */
  refused?: readonly RefusedProcess[];
}

/** A process whose messages another one refuses. */
export interface RefusedProcess {
  process: string;
  /** Such as `unknown_key`. */
  reason: string;
  /** The id of the key that its messages name. */
  key: string;
  /** How far its clock is ahead, in milliseconds; negative if it is behind. Absent where its messages are not authentic. */
  clockMs?: number;
}

const checkTimeoutMs = 2_000;

/** Readiness of a process: whether it should get requests. It is alive as long as it responds at all. */
export class Health {
  private readonly checks = new Map<string, Check>();
  private readonly facts: (() => Omit<ProcessReport, keyof Readiness>)[] = [];
  private stopping = false;
  /** The checks that run, for all who ask meanwhile: each check asks others. */
  private running: Promise<Readiness> | undefined;

  /** `health.add('bus', () => bus.isConnected)` */
  add(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** Adds to what the process tells operators of itself. @param read called at each question */
  describe(read: () => Omit<ProcessReport, keyof Readiness>): void {
    this.facts.push(read);
  }

  /** Returns what the process tells operators of itself. */
  async report(): Promise<ProcessReport> {
    const readiness = await this.readiness();
    const reports = this.facts.map((read) => read());
    return Object.assign({ now: Date.now() }, readiness, ...reports) as ProcessReport;
  }

  /** Reports not ready from now on, so that no new request is routed here while those in flight finish. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { ready: false, checks: { process: 'stopping' } };
    this.running ??= this.check().finally(() => (this.running = undefined));
    return await this.running;
  }

  private async check(): Promise<Readiness> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await runCheck(check)] as const),
    );
    return {
      ready: results.every(([, result]) => result === 'ok'),
      checks: Object.fromEntries(results),
    };
  }
}

async function runCheck(check: Check): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`timed out after ${checkTimeoutMs} ms`), checkTimeoutMs);
  });
  const result = Promise.resolve()
    .then(check)
    .then(
      (value) => (value === false ? 'not available' : 'ok'),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
