import { parse } from 'yaml';
import { type OperationId, operations } from '#contract';
import type { OurRequest, RefusalStatus, TheirResponse } from './fixture.js';
import type { ProviderFolder } from './folders.js';

/** Nothing was recorded from here on: the plan or the live system has to be put right. */
export class RecordFailed extends Error {}

export const planFile = 'fixtures/record.yaml';

/** `fixtures/record.yaml`: what is called, in this order. */
export interface Plan {
  /** The id of what does not exist. */
  nobody?: string;
  /** The secrets of somebody who may do little. */
  forbidden?: Record<string, string>;
  /** By status (401, 403, 404, 429): refusals as the provider's documentation has them, where the live system cannot be made to send one. */
  documented?: Partial<Record<RefusalStatus, TheirResponse>>;
  /** By `needs` of those calls of the document's verification that have `passes`: how a system is reached that does not pass. */
  verify?: Record<string, WayToLack>;
  /** What cannot be recorded, by reason: `<operation>.pages`, `refusals.403`, `verify.missing_1`, a place in the document. */
  without?: Record<string, string[]>;
  calls: PlannedCall[];
}

export interface WayToLack {
  /** Secrets of somebody who lacks it. */
  credential?: Record<string, string>;
  /** What the documentation says that is answered then. */
  documented?: TheirResponse;
  /** The same where it is no permission, but what `message` tells. */
  wrong?: TheirResponse;
}

export interface PlannedCall extends OurRequest {
  operation: OperationId;
  /** Its own name; `works` when absent. */
  case?: string;
  /** What later calls know the answer's result by: `$ticket.id`. */
  as?: string;
  /** Only makes what later calls need. */
  setup?: boolean;
  /** What the documentation says that is answered to one of the calls, where the live system cannot be had to say it. */
  documented?: TheirResponse;
  /** To which of the calls, from 1; to the first when absent. */
  documented_at?: number;
  /** All pages, with so many rows of the provider in each. */
  page_size?: number;
}

/** What is recorded from. */
export interface Live {
  configuration: Record<string, unknown>;
  forbidden?: Record<string, string> | undefined;
  /** By `needs` of the document's verification: the secrets of somebody who lacks it. */
  lacking?: Record<string, Record<string, string>> | undefined;
  scrub?: Record<string, string> | undefined;
  /** There is no system: what is written are examples of fixtures, and they say so. */
  isExample?: boolean;
  /** Makes the next call fail with this status, where the system can be told to. */
  fail?: ((status: number) => Promise<void>) | undefined;
}

export function planOf(folder: ProviderFolder): Plan {
  const file = planFile;
  if (!folder.has(file))
    throw new RecordFailed(`${folder.shown(file)}: there is none; it says what is called`);
  const plan = readYaml(folder.read(file), folder.shown(file)) as Partial<Plan> | null;
  if (!Array.isArray(plan?.calls))
    throw new RecordFailed(`${folder.shown(file)} has no calls: the list of what is called`);
  for (const { operation } of plan.calls as { operation?: string }[])
    if (!operations.has(operation as OperationId))
      throw new RecordFailed(`${folder.shown(file)} calls ${operation}, which is no operation`);
  return plan as Plan;
}

/** What `without` of the plan names; nothing where there is no plan. */
export function excusedOf(folder: ProviderFolder): string[] {
  if (!folder.has(planFile)) return [];
  return Object.values(planOf(folder).without ?? {}).flat();
}

/** @throws RecordFailed with the place of what is not valid YAML */
export function readYaml(text: string, name: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new RecordFailed(`${name}: ${(error as Error).message.trim()}`, { cause: error });
  }
}

/** The head of a fixture. */
export function originOf({ isExample }: Live, at: number): { example?: true; at: string } {
  return { ...(isExample === true ? { example: true } : {}), at: new Date(at).toISOString() };
}
