import { Logger } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';

/** Milliseconds between two warnings. The counter has all faults. */
const warningMs = 60_000;

/** The outcome for a record that does not fit the contract. */
export type FaultOutcome = 'fitted' | 'left_out';

export interface RecordCheckOptions {
  /** Refuses the response with a 502 instead of mending it, as verification and the provider kit do. */
  strict?: boolean;
  /** Called for each record that does not fit. */
  onFault?: (outcome: FaultOutcome) => void;
}

/** Counts and logs records that do not fit the contract: a mapping may make anything of what a provider sends. */
export class RecordChecks {
  private readonly log = new Logger(RecordChecks.name);
  private warnAfter = 0;

  constructor(private readonly options: RecordCheckOptions = {}) {}

  get isStrict(): boolean {
    return this.options.strict === true;
  }

  /** Notes a record that does not fit. @param problem names field or line, and no content: it belongs to a customer */
  note(
    { id, providerType }: ResolvedIntegration,
    { mapping, outcome, problem }: { mapping: string; outcome: FaultOutcome; problem: string },
    now: number,
  ): void {
    this.options.onFault?.(outcome);
    if (now < this.warnAfter) return;
    this.warnAfter = now + warningMs;
    this.log.warn('record does not fit the contract', {
      provider: providerType,
      integrationId: id,
      mapping,
      outcome,
      problem,
    });
  }
}
