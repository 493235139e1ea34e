import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { isJob, type CallAborts } from '#contract';
import type { Limits } from '@onefold/mapping';
import type { OpenedCredential, ProviderHttp, Redactor } from '#provider-http';
import { type CredentialParts, openCredential } from './integrations/open-credential.js';
import { reservedMs, type OperationRun } from './operation-run.js';
import type { ProviderCall } from './provider.js';
import type { CallUsage } from './usage/usage.js';

/** "Default budget of about 275 seconds" (specification, limits). */
const maxPollSeconds = 275;

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

  onResponse(shown: Parameters<ProviderCall['onResponse']>[0], primary: boolean): void {
    const { meta } = this.run;
    this.usage.calledProvider();
    // Writing a list as text costs more than the rest of the call, so it is done on request only.
    if (meta.wantsAnswers) meta.answered({ ...shown(), primary });
  }
}
