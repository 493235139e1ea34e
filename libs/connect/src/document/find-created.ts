import { ApiError } from '#contract';
import type { Value } from '@onefold/mapping';
import { type CompiledOperation, evaluate } from '#provider-document';
import { ProviderRefusal } from '#provider-http';
import { OutcomeUnknown, type ProviderCall } from '../provider.js';
import { type RunOptions, runSteps } from './run-steps.js';

/** The provider does not let the credential look. */
const closedStatuses = new Set([400, 401, 403, 422, 501]);
/** There is no record of the marker, or nothing that it could be in. */
const absentStatuses = new Set([404, 410]);

/**
 * Finds out what an earlier call of a create has done, whose outcome is unknown.
 * @returns the answer of the step that creates the record, if it is there; undefined if the steps are to run
 * @throws OutcomeUnknown
 */
export async function findCreated(
  operation: CompiledOperation,
  input: Record<string, Value>,
  { write, clock }: ProviderCall,
  options: RunOptions,
): Promise<RunOptions['known']> {
  const { settle } = operation;
  if (!write?.isUnsettled || settle === undefined) return undefined;
  const { source, search, place } = settle;
  const passedMs = clock.now() - write.since.getTime();
  const { within = Infinity, after = 0 } = source;
  if (passedMs >= within * 1000) throw new OutcomeUnknown();
  if (search === undefined) return undefined;
  const waitMs = after * 1000 - passedMs;
  if (waitMs > 0) throw new OutcomeUnknown({ waitMs });
  const looking = { ...operation, steps: search.steps, checks: [] };
  try {
    const { context } = await runSteps(looking, input, options);
    const value = evaluate(search.found, context, `${place}.found`, options.http.limits) ?? null;
    if (value !== null) return { step: search.step, value };
  } catch (cause) {
    const status = statusOf(cause);
    if (closedStatuses.has(status)) throw new OutcomeUnknown({ cause });
    if (!absentStatuses.has(status)) throw cause;
  }
  write.settleAbsent();
  return undefined;
}

/** The status by which the provider refuses to look, or a check of the document; 0 for other failures. */
function statusOf(error: unknown): number {
  if (error instanceof ProviderRefusal) return error.providerStatus;
  return error instanceof ApiError && error.status === 501 ? 501 : 0;
}
