import { Logger } from '@nestjs/common';

/** The reason for refusing a message. */
export type RefusalReason =
  | 'malformed'
  | 'unknown_version'
  | 'unknown_key'
  | 'not_authentic'
  | 'unexpected_kind'
  | 'clock_skew'
  | 'expired'
  | 'replayed'
  | 'failed';

const remedies: Readonly<Partial<Record<RefusalReason, string>>> = {
  unknown_version: 'Run the same version of every process.',
  unknown_key: 'Give every process the same key file.',
  clock_skew: 'Synchronize the clocks of the machines.',
  expired: 'Synchronize the clocks of the machines.',
};
const logIntervalMs = 10_000;
const log = new Logger('bus');

/** Counts refused messages by reason. Each reason is logged immediately, and then at most every ten seconds. */
export class Refusals {
  private readonly waiting = new Map<RefusalReason, { count: number; loggedAt: number }>();

  /** @param count called for each refused message, for a metric */
  constructor(
    private readonly count: (reason: RefusalReason) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  add(reason: RefusalReason, subject: string, error?: unknown): void {
    this.count(reason);
    const now = this.now();
    const known = this.waiting.get(reason) ?? { count: 0, loggedAt: -Infinity };
    known.count += 1;
    this.waiting.set(reason, known);
    if (now - known.loggedAt < logIntervalMs) return;
    const remedy = remedies[reason];
    log.warn({
      message: 'refused messages of the bus',
      reason,
      count: known.count,
      subject: subject.slice(0, 200),
      ...(remedy === undefined ? {} : { remedy }),
      ...(error === undefined ? {} : { error: error instanceof Error ? error.message : 'unknown' }),
    });
    known.count = 0;
    known.loggedAt = now;
  }
}
