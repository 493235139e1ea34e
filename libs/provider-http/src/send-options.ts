import type { CallAborts } from '#contract';
import type { ResetHeader } from '#egress';
import type { Authentication } from './credentials/authentication.js';
import type { FailedCall } from './failed-call.js';
import type { MemoryLease } from './limits/response-memory.js';
import type { BudgetStatus, PermitLimits, PermitPlace } from './limits/permits.js';
import type { ProviderResponse } from './provider-request.js';
import type { Redactor } from './redact.js';
import type { Route } from './sending/route.js';
import type { OnExchange } from './sent-exchange.js';

export interface SendOptions {
  /** Facts about the call for error messages. */
  call: FailedCall;
  /** The name of the provider in metrics. */
  label?: string;
  /** The credential that limits are counted for. */
  place: PermitPlace;
  authentication: Authentication | undefined;
  redactor: Redactor;
  signal: CallAborts;
  /** Epoch milliseconds. */
  deadline: number;
  timeoutMs: number;
  maxBytes: number;
  /** Counts the memory of responses until their call ends; one that ends with the request when absent. */
  memory?: MemoryLease | undefined;
  /** Limit of a response that is passed on as it arrives; unlimited when absent. */
  maxStreamBytes?: number | undefined;
  limits: PermitLimits;
  /** The way to the provider, if it is not the direct one. */
  route?: Route | undefined;
  retry: { attempts: number; statuses: readonly number[]; resets: readonly ResetHeader[] };
  /**
   * Interprets a response whose status does not tell enough: some providers fail with 200, and some say with another status that a token
   * has expired. Called once for every response.
   */
  interpret: (answer: ProviderResponse) => Interpretation;
  /**
   * Called for every response, including those of failed attempts.
   * @param status that of the response as it was interpreted
   * @param message the provider's words about a failure, as it wrote them
   */
  onResponse: (url: URL, answer: ProviderResponse, status: number, message?: string) => void;
  /** Called at the end of every attempt, also of one without a response. */
  onExchange?: OnExchange | undefined;
  /** Called with the budgets that a response was counted in, if there are any. */
  onBudgets?: ((budgets: readonly BudgetStatus[]) => void) | undefined;
  /** Called when a request goes out, behind everything that refuses it here. */
  onSend?: () => void;
  /** Called when a response that is passed on ends early. */
  onBroken?: (failure: Error) => void;
}

/** A failure that a response shows: its status here, and the provider's words. All are absent in a response that succeeded. */
export interface Interpretation {
  status?: number | undefined;
  message?: string | undefined;
  /** The wait that the body asks for, where the headers ask for none. */
  retryAfterMs?: number | undefined;
}
