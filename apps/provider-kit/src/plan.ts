import { parse } from 'yaml';
import { type OperationId, operations } from '#contract';
import type { OurRequest, RefusalStatus, TheirResponse } from './fixture.js';
import type { ProviderFolder } from './folders.js';

/** Recording stopped: the plan or the live system must be corrected. */
export class RecordFailed extends Error {}

export const planFile = 'fixtures/record.yaml';

/** `fixtures/record.yaml`: the calls to record, in this order. */
export interface Plan {
  /** The id of a record that does not exist. */
  unknown_id?: string;
  /**
   * Refusals from the provider's documentation, by status (401, 403, 404, 429), if the live system cannot be made to
   * send one.
   */
  documented?: Partial<Record<RefusalStatus, TheirResponse>>;
  /** How to reach a system that does not pass, by `needs` of the verification's calls with `passes`. */
  verify?: Record<string, WayToLack>;
  /**
   * Parts that cannot be recorded, by reason: `<operation>.pages`, `refusals.403`, `verify.missing_1`, a place in the
   * document.
   */
  without?: Record<string, string[]>;
  calls: PlannedCall[];
}

export interface WayToLack {
  /** Secrets of somebody without the permission. */
  credential?: Record<string, string>;
  /** The response by the documentation. */
  documented?: TheirResponse;
  /** The response by the documentation, if the cause is what `message` reads and not a permission. */
  wrong?: TheirResponse;
}

export interface PlannedCall extends OurRequest {
  operation: OperationId;
  /** Name of the case; `works` if absent. */
  case?: string;
  /** Name of the result for later calls: `$ticket.id`. */
  as?: string;
  /** True for a call that only creates records for later calls. */
  setup?: boolean;
  /** Documented response to one of the calls, if the live system cannot be made to send it. */
  documented?: TheirResponse;
  /** Number of that call, from 1; the first if absent. */
  documented_at?: number;
  /** Records all pages, with this number of the provider's rows in each. */
  page_size?: number;
}

/** The system that is recorded. */
export interface Live {
  configuration: Record<string, unknown>;
  forbidden?: Record<string, string> | undefined;
  /** Secrets of somebody without a permission, by `needs` of the document's verification. */
  lacking?: Record<string, Record<string, string>> | undefined;
  scrub?: Record<string, string> | undefined;
  /** Makes the next call fail with this status, if the system can be made to. */
  fail?: ((status: number) => Promise<void>) | undefined;
}

export function planOf(folder: ProviderFolder): Plan {
  const file = planFile;
  if (!folder.has(file))
    throw new RecordFailed(
      `${folder.shown(file)}: the file does not exist; it lists the calls to record`,
    );
  const plan = readYaml(folder.read(file), folder.shown(file)) as Partial<Plan> | null;
  if (!Array.isArray(plan?.calls))
    throw new RecordFailed(`${folder.shown(file)} has no calls: the list of calls to record`);
  for (const { operation } of plan.calls as { operation?: string }[])
    if (!operations.has(operation as OperationId))
      throw new RecordFailed(`${folder.shown(file)} calls ${operation}, which is not an operation`);
  return plan as Plan;
}

/** Returns the entries of `without` of the plan; an empty list without a plan. */
export function excusedOf(folder: ProviderFolder): string[] {
  if (!folder.has(planFile)) return [];
  return Object.values(planOf(folder).without ?? {}).flat();
}

/** Reads a YAML file. @throws RecordFailed with the place of invalid YAML */
export function readYaml(text: string, name: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new RecordFailed(`${name}: ${(error as Error).message.trim()}`, { cause: error });
  }
}
