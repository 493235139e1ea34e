/** One thing a process cannot serve without: it throws, or says false, while that is missing. */
export type Check = () => boolean | void | Promise<boolean | void>;

export interface Readiness {
  ready: boolean;
  /** Of each check, `ok` or what is wrong. */
  checks: Record<string, string>;
}

const checkMs = 2_000;

/** Whether a process wants requests. It is alive as long as it answers at all. */
export class Health {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** `health.add('bus', () => bus.isConnected)` */
  add(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** From now on not ready, so that no new request is routed here while those in flight are finished. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { ready: false, checks: { process: 'stopping' } };
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await outcome(check)] as const),
    );
    return {
      ready: results.every(([, result]) => result === 'ok'),
      checks: Object.fromEntries(results),
    };
  }
}

async function outcome(check: Check): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${checkMs} ms`), checkMs);
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
