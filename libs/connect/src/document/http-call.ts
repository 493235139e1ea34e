import type { ResolvedBridge } from '#bus';
import type { CallAborts, ProblemContext } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import type {
  Authentication,
  BudgetStatus,
  MemoryLease,
  OnExchange,
  OpenedCredential,
  ProviderHttp,
  ProviderResponse,
  Redactor,
  SentResponse,
  UploadedFile,
} from '#provider-http';
import type { CallDrift } from '../drift/drift.js';
import type { CallUsage } from '../usage/usage.js';
import type { KeyedWrite } from '../writes/keyed-write.js';
import type { RequestStep } from './build-request.js';

export interface CallOptions {
  url?: string | undefined;
  primary: boolean;
  needs?: string;
  /** The file of the upload, for the step that sends it. */
  file?: UploadedFile | undefined;
  /** Sent even after the call has ended, within ten seconds. */
  cleanUp?: boolean | undefined;
  /** True if the list may go on without it: the integration's state does not change when the provider refuses it. */
  isTolerated?: boolean;
  /** Time of a request that does not end with the call. */
  apartMs?: number;
  /** The credential that the request logs in with: its response has a token, which nobody is shown. */
  login?: OpenedCredential;
  /** Instead of the document's timeout. */
  timeoutMs?: number;
}

/** Facts that the requests of a document need about the integration and the call they belong to. */
export interface HttpCall {
  /** Identifies the records of a create, if the caller names them. */
  readonly batchId?: string | undefined;
  /** Present for a create with an `Idempotency-Key`. */
  readonly write?: KeyedWrite | undefined;
  /** True for a call of a job, for which nobody waits. */
  readonly isJob?: boolean;
  http: ProviderHttp;
  integration: {
    id: string;
    organizationId: string;
    accountId: string;
    /** The domain, where its data has a key of its own. */
    category?: string;
    providerConfig: Record<string, unknown>;
    providerType?: string;
    /** Present for a provider of a customer. */
    providerDocument?: unknown;
    /** The bridge groups that calls go through; absent where they go directly. */
    bridge?: ResolvedBridge;
  };
  /** Limits of each expression of the document; those of the process where there are none. */
  readonly limits?: Limits | undefined;
  /** Decrypts the credential in a slot of the configuration. @throws ApiError if it has expired */
  credential(slot: string): OpenedCredential | undefined;
  /** Secrets of this call that callers and logs must not see. */
  readonly redactor: Redactor;
  signal: CallAborts;
  /** The header Range of the request, for a response that is a file. */
  readonly range?: string | undefined;
  /** Epoch milliseconds. */
  deadline: number;
  /** Counts the memory of the responses of the call; each response counts alone where it is absent. */
  readonly memory?: MemoryLease | undefined;
  /** Counts what the call uses, and notes the integration's state: `usage.report('credentials_refused', why)`. */
  readonly usage: CallUsage;
  /** Notes what shows that the vendor changes its API; absent where nobody wants to know. */
  readonly drift?: CallDrift | undefined;
  /** Called with the provider's budgets that a response was counted in; absent where nobody is told. */
  readonly onBudgets?: ((budgets: readonly BudgetStatus[]) => void) | undefined;
  /**
   * Called for every response, which is counted and kept for meta functions.
   * @param shown returns address and text of the response without secrets; called only if a meta function needs them
   * @param primary true if the response populates the result
   */
  onResponse(shown: () => { url: string; text: string }, primary: boolean): void;
  /** Called at the end of every attempt of a request; absent where nobody wants to know. */
  readonly onExchange?: OnExchange | undefined;
  /** True if recorded answers stand for the provider: nobody logs in, and a mock is not asked. */
  readonly isReplay?: boolean;
}

/** Shows responses of the provider in errors, and limits the expressions about them. */
export interface ResponseView {
  readonly limits: Limits | undefined;
  /** Notes that the response to the last request refuses what was asked for. */
  takeBack?(): void;
  /** Removes secrets from a text of the provider. */
  shown(text: string): string;
  /** Returns what a problem shows of a response: the call, and the provider's words. */
  contextOf(answer: ProviderResponse): ProblemContext;
}

/** Sends requests of a document with a credential of the sender's choice. */
export interface RequestSender extends ResponseView {
  readonly redactor: Redactor;
  readonly tokens: ProviderHttp['tokens'];
  /** The credentials that are sent with every other one. */
  beside(): Authentication[];
  /** Makes one for requests behind the end of the call. */
  apart(): RequestSender;
  /** @throws ApiError */
  send(
    step: RequestStep,
    context: Record<string, Value>,
    options: CallOptions,
    authentication: Authentication | undefined,
    onStatus?: (status: number) => void,
  ): Promise<SentResponse>;
}

/** Returns the signal itself, for those that give it to others. */
export function signalOf(aborts: CallAborts): AbortSignal {
  return aborts instanceof AbortSignal ? aborts : (aborts.signal as AbortSignal);
}
