import type { SurveyedProcess } from '#bus';
import type { RefusedProcess } from '#observe';

/** A part of an installation that could not be asked. */
export interface Unasked {
  part: 'processes' | 'database' | 'queue' | 'jobs' | 'integrations';
  reason: string;
}

/** The tasks of the queue of all workers. */
export interface QueueState {
  waiting: number;
  delayed: number;
  running: number;
  /** Tasks that failed as often as they may. */
  dead: number;
  /** Seconds that the oldest waiting task has been due. */
  oldestSeconds: number;
}

export interface JobState {
  waiting: number;
  running: number;
  failing: number;
  oldestSeconds: number;
}

export interface FailingIntegration {
  id: string;
  organization: string;
  account: string;
  provider: string;
  status: string;
  /** ISO 8601. */
  since: string | null;
  error: string | null;
}

export interface IntegrationState {
  total: number;
  /** Number of integrations by domain. */
  domains: Readonly<Record<string, number>>;
  failing: number;
  /** Those that failed last. */
  last: readonly FailingIntegration[];
}

/** The state of a whole installation. What could not be asked is undefined, and in `unasked`. */
export interface Status {
  /** ISO 8601. */
  at: string;
  ok: boolean;
  /** A sentence for each thing that is missing or fails. */
  problems: string[];
  /** Notes that are no problems. */
  notes: string[];
  processes?: SurveyedProcess[];
  silent?: { process: string; serves: readonly string[] }[];
  refused?: RefusedProcess[];
  nats?: { version: string; hosts: string };
  database?: { version: string; ms: number };
  queue?: QueueState;
  jobs?: JobState;
  integrations?: IntegrationState;
  /** Hosts of providers that connectors do not call for a while. */
  providersDown: { host: string; reason: string; at: string; process: string }[];
  unasked: Unasked[];
}
