import { parse } from 'yaml';
import { type OperationId, operations } from '#contract';
import type { OurRequest, TheirResponse } from './fixture.js';
import type { ProviderFolder } from './folders.js';

/** Nothing was recorded from here on: the plan or the live system has to be put right. */
export class RecordFailed extends Error {}

/** `fixtures/record.yaml`: what is called, in this order. */
export interface Plan {
  /** The id of what does not exist. */
  nobody?: string;
  /** The secrets of somebody who may do little. */
  forbidden?: Record<string, string>;
  /** By status: failures that cannot be had, as the provider's documentation has them. */
  documented?: Record<string, TheirResponse>;
  /** By `needs` of the document's verification: how the lack of it can be had, where a 403 is not how it shows. */
  verify?: Record<string, WayToLack>;
  /** Fixtures that there cannot be, by reason. */
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
  /** Its own name; `works` when absent, and then its failures are recorded too. */
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
  const file = 'fixtures/record.yaml';
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

/** @throws RecordFailed with the place of what is no YAML */
export function readYaml(text: string, name: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new RecordFailed(`${name}: ${(error as Error).message.trim()}`, { cause: error });
  }
}

/** What a fixture says of where it comes from. */
export function originOf({ isExample }: Live, at: number): { example?: true; at: string } {
  return { ...(isExample === true ? { example: true } : {}), at: new Date(at).toISOString() };
}
