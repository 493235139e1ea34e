/** Checks one thing that a process needs to serve requests. It throws or returns false while that is unavailable. */
export type Check = () => boolean | void | Promise<boolean | void>;

export interface Readiness {
  ready: boolean;
  /** The result of each check: `ok` or the problem. */
  checks: Record<string, string>;
}

const checkTimeoutMs = 2_000;

/** Readiness of a process: whether it should get requests. It is alive as long as it responds at all. */
export class Health {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** `health.add('bus', () => bus.isConnected)` */
  add(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** Reports not ready from now on, so that no new request is routed here while those in flight finish. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { ready: false, checks: { process: 'stopping' } };
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
