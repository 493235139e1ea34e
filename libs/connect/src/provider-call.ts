import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { ApiError, isJob, type CallAborts } from '#contract';
import type { Limits } from '@onefold/mapping';
import {
  type BudgetStatus,
  type OnExchange,
  type OpenedCredential,
  type ProviderHttp,
  rateLimitHeaders,
  type Redactor,
} from '#provider-http';
import type { Cursors } from '#secrets';
import { type CredentialParts, openCredential } from './integrations/open-credential.js';
import { readCursor } from './lists/page.js';
import { mapRequest } from './map-request.js';
import { reservedMs, type OperationRun } from './operation-run.js';
import {
  type MappedRequest,
  OutcomeUnknown,
  type PausedSteps,
  type ProviderCall,
  type ProviderResult,
  RecordChanged,
} from './provider.js';
import type { RehearsedRequest } from './document/rehearsed-request.js';
import type { CallUsage } from './usage/usage.js';
import type { SentRecord } from './writes/describe-losses.js';
import { outcomeUnknown } from './writes/outcome-unknown.js';

/** "Default budget of about 275 seconds" (specification, limits). */
const maxPollSeconds = 275;

/** A patch is computed again when its record has changed since it was read. */
const maxPatchAttempts = 20;

/** The result of the provider. Of an action that waits for the provider it is a cursor with which a request goes on. */
export type CallResult =
  | Exclude<ProviderResult, { paused: unknown }>
  | { pausedAt: string }
  | { rehearsed: readonly RehearsedRequest[] };

interface CalledProvider {
  found: CallResult;
  /** Absent where no record was written. */
  sent?: SentRecord;
}

/** Maps the request of a run and calls the provider with it. A patch whose record changes meanwhile is mapped again. @throws ApiError */
export async function callProvider(
  run: OperationRun,
  cursors: Cursors,
  parts: CredentialParts & { http: ProviderHttp },
): Promise<CalledProvider> {
  const { offered, integration } = run;
  const call = new IntegrationCall(run, parts);
  const paused = readPaused(run, cursors);
  for (let attempt = 1; ; attempt += 1) {
    const { request, ...written } = await mapRequest(run, call);
    try {
      if (run.isDryRun) {
        if (offered.rehearse === undefined) throw ownRecords(integration.providerType);
        return { found: { rehearsed: await offered.rehearse(call, request) }, ...written };
      }
      checkSettled(run);
      const found = await offered.run(call, Object.assign(request, paused));
      if (!('paused' in found)) return { found, ...written };
      return { found: { pausedAt: cursors.issue(pausedContext(run), found.paused) } };
    } catch (error) {
      if (error instanceof OutcomeUnknown) throw outcomeUnknown(run, error);
      if (!(error instanceof RecordChanged)) throw error;
      if (attempt === maxPatchAttempts) throw changedTooOften(error);
    } finally {
      request.file?.close();
    }
  }
}

/** @throws OutcomeUnknown if an earlier call may have created the record, and the provider cannot tell */
function checkSettled({ write, offered }: OperationRun): void {
  if (write?.isUnsettled && offered.settles === undefined) throw new OutcomeUnknown();
}

function ownRecords(type: string): ApiError {
  return new ApiError(501, `${type} gets no requests: its records are in Onefold`, {
    remediation: 'Use dry_run with a provider that is called, such as another mock.',
  });
}

/** Reads the cursor in the body of an action that waits. @throws ApiError 400 if it belongs to another one */
function readPaused(
  run: OperationRun,
  cursors: Cursors,
): Pick<MappedRequest, 'paused'> | undefined {
  const { operation, call } = run;
  if (!operation.response.progress || operation.request !== 'json') return undefined;
  const { cursor } = (call.body ?? {}) as { cursor?: string | null };
  if (!cursor) return undefined;
  const place = { location: 'body', pointer: '/cursor' } as const;
  return { paused: readCursor(cursors, pausedContext(run), cursor, place) as PausedSteps };
}

function pausedContext({ integration, operation, call }: OperationRun): string {
  return `${integration.id} ${operation.id} ${JSON.stringify(call.path)}`;
}

function changedTooOften(cause: RecordChanged): ApiError {
  // The last words of the provider, where it is the provider that compares.
  const context = cause.cause instanceof ApiError ? cause.cause.options.context : undefined;
  return new ApiError(503, 'the record is changed by too many requests at the same time', {
    remediation: 'Try again in a moment.',
    ...(context === undefined ? {} : { context }),
    cause,
  });
}

/** A call of an integration's provider, for one run of an operation. */
export class IntegrationCall implements ProviderCall {
  readonly http: ProviderHttp;
  readonly clock: Clock;
  readonly integration: ResolvedIntegration;
  readonly limits: Limits | undefined;
  readonly usage: CallUsage;
  readonly redactor: Redactor;
  readonly path: ProviderCall['path'];
  readonly query: ProviderCall['query'];
  readonly list: ProviderCall['list'];
  readonly problems: ProviderCall['problems'];
  readonly drift: ProviderCall['drift'];
  readonly deadline: number;
  readonly pollUntil: number;

  constructor(
    private readonly run: OperationRun,
    private readonly parts: CredentialParts & { http: ProviderHttp },
  ) {
    const { call, clock, deadline, integration, usage, query, meta, context } = run;
    this.http = parts.http;
    this.redactor = run.redactor;
    this.clock = clock;
    this.integration = integration;
    this.limits = context.limits;
    this.usage = usage;
    this.path = call.path;
    this.query = call.query;
    this.list = query.pushed;
    this.problems = run.problems;
    this.drift = run.drift;
    this.deadline = deadline;
    // A caller can shorten the budget, not extend it. Part of the deadline is reserved for the response.
    const seconds = Math.min(meta.calls.pollSeconds ?? maxPollSeconds, maxPollSeconds);
    this.pollUntil = Math.min(clock.now() + seconds * 1000, deadline - reservedMs);
  }

  /** Identifies the records of a create for providers that can tell repeated ones. */
  get batchId(): string | undefined {
    const { batchId, idempotencyKey } = this.run.call;
    return batchId ?? idempotencyKey;
  }

  get write(): OperationRun['write'] {
    return this.run.write;
  }

  get memory(): OperationRun['memory'] {
    return this.run.memory;
  }

  get isReplay(): boolean {
    return this.run.isReplay === true;
  }

  get isJob(): boolean {
    return isJob(this.run.call.caller);
  }

  get jobBatchId(): string | undefined {
    return this.run.call.batchId;
  }

  get range(): string | undefined {
    return this.run.operation.response.kind === 'binary' ? this.run.call.range : undefined;
  }

  get signal(): CallAborts {
    const { call } = this.run;
    return call.aborts ?? call.signal; // The bus makes a signal when it is first read.
  }

  credential(slot: string): OpenedCredential | undefined {
    return openCredential(this.parts, this.integration, slot);
  }

  readonly onExchange: OnExchange = (exchange, sent, answer) => {
    const { call, redactor, recording } = this.run;
    const { method, url, durationMs, status, bytes } = exchange;
    const shown = (text: string) => redactor.text(text);
    call.notes?.add({ method, url, durationMs, status, bytes, shown });
    recording?.add(exchange, redactor, sent, answer);
  };

  /** Tells the caller of the budgets of its last request. */
  readonly onBudgets = (budgets: readonly BudgetStatus[]): void => {
    const { responseHeaders } = this.run.call;
    if (responseHeaders !== undefined) Object.assign(responseHeaders, rateLimitHeaders(budgets));
  };

  onResponse(shown: Parameters<ProviderCall['onResponse']>[0], primary: boolean): void {
    const { meta } = this.run;
    this.usage.calledProvider();
    // Writing a list as text costs more than the rest of the call, so it is done on request only.
    if (meta.wantsAnswers) meta.answered({ ...shown(), primary });
  }
}
