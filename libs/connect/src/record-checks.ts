import { Logger } from '@nestjs/common';
import { validateRecord } from '#contract';
import { findChain, mappingFailed } from './mapping-chain.js';
import type { OperationRun } from './operation-run.js';

/** Milliseconds between two warnings. The counter has all faults. */
const warningMs = 60_000;

export interface RecordCheckOptions {
  /** One record in so many is checked; 0 for none. */
  every: number;
  /** Refuses the response with a 502 instead of warning. */
  strict?: boolean;
  /** Called for each record that does not fit. */
  onFault?: () => void;
}

/** Holds records against the contract before they leave: a mapping may make anything of what a provider sends. */
export class RecordChecks {
  private readonly log = new Logger(RecordChecks.name);
  /** Records that pass before the next one is checked. */
  private untilNext = 0;
  private warnAfter = 0;

  constructor(private readonly options: RecordCheckOptions) {}

  /** Checks the result of an operation. @throws ApiError 502 that names mapping and field, if it is strict */
  check(run: OperationRun, result: unknown): void {
    const { every } = this.options;
    if (every === 0) return;
    if (!Array.isArray(result)) {
      if (this.untilNext === 0) this.checkRecord(run, result);
      this.untilNext = this.untilNext === 0 ? every - 1 : this.untilNext - 1;
      return;
    }
    let index = this.untilNext;
    for (; index < result.length; index += every) this.checkRecord(run, result[index]);
    this.untilNext = index - result.length;
  }

  private checkRecord(run: OperationRun, record: unknown): void {
    const fault = validateRecord(run.operation.id, record);
    if (fault === undefined) return;
    const { strict = false, onFault } = this.options;
    const mapping = mappingOf(run);
    const problem = `the field ${fault.pointer || '/'} of ${run.operation.id} ${fault.message}`;
    if (strict) throw mappingFailed(mapping, problem);
    onFault?.();
    const now = run.clock.now();
    if (now < this.warnAfter) return;
    this.warnAfter = now + warningMs;
    this.log.warn('record does not fit the contract', {
      provider: run.integration.providerType,
      integrationId: run.integration.id,
      ...{ mapping, problem },
    });
  }
}

/** Records that were written are mapped by the provider's own mapping. */
function mappingOf({ integration, operation, offered }: OperationRun): string {
  if (offered.action === 'create' || offered.action === 'patch') return 'default:0';
  return findChain(integration, operation.id)
    .map(({ reference }) => reference)
    .join(', ');
}
