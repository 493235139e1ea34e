import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { type OperationId, operations } from '#contract';
import type { OpenedCredential, ProviderHttp, UploadedFile } from '#provider-http';
import type { Sealer } from '#secrets';
import type { Store } from '#store';
import { chainOf, mapAnswer, mapRequest } from './chains.js';
import type { Native } from './native.js';
import { openCredential } from './open-credential.js';
import { openUpload } from './open-upload.js';
import { patchRecord } from './patch-record.js';
import type { ProviderCall } from './provider.js';
import { answerMs, type Running } from './running.js';
import type { CallUsage } from './usage.js';

/** "Default budget of about 275 seconds" (specification, limits). */
const usualPollSeconds = 275;

/** What calls of providers are made with. */
export interface Means {
  http: ProviderHttp;
  sealer: Sealer;
  store: Store;
  clock: Clock;
}

/** A call that runs, as its provider sees it. */
export class RunningCall implements ProviderCall {
  readonly http: ProviderHttp;
  readonly clock: Clock;
  readonly integration: ResolvedIntegration;
  readonly usage: CallUsage;
  readonly path: ProviderCall['path'];
  readonly query: ProviderCall['query'];
  readonly list: ProviderCall['list'];
  readonly deadline: number;
  readonly pollUntil: number;

  constructor(
    private readonly running: Running,
    private readonly means: Means,
  ) {
    const { call, integration, usage, query, meta } = running;
    this.http = means.http;
    this.clock = means.clock;
    this.integration = integration;
    this.usage = usage;
    this.path = call.path;
    this.query = call.query;
    this.list = query.pushed;
    this.deadline = call.deadline;
    // The caller's budget can only shorten ours; a moment of the deadline is left for the answer.
    const seconds = Math.min(meta.calls.pollSeconds ?? usualPollSeconds, usualPollSeconds);
    this.pollUntil = Math.min(means.clock.now() + seconds * 1000, call.deadline - answerMs);
  }

  get signal(): AbortSignal {
    return this.running.call.signal;
  }

  credential(slot: string): OpenedCredential | undefined {
    return openCredential(this.means.sealer, this.clock, this.integration, slot);
  }

  answered(url: string, text: () => string, primary: boolean): void {
    const { meta } = this.running;
    this.usage.calledProvider();
    // Writing a list as text costs more than the rest of the call: only for those who ask.
    if (meta.wantsAnswers) meta.answered({ url, text: text(), primary });
  }

  body(): Native {
    const { call, operation, integration, offered, context } = this.running;
    const chain = chainOf(integration, operation.id);
    return this.usage.work(() => mapRequest((call.body ?? {}) as Native, chain, offered, context));
  }

  async file(): Promise<UploadedFile> {
    return await openUpload(this.running.call);
  }

  patch(native: Native): { before: Native; after: Native } {
    const { call, operation, integration, offered, context } = this.running;
    const chain = chainOf(integration, operation.id);
    const record = mapAnswer(native, [{ reference: 'default:0' }], offered, [], context) ?? {};
    const changed = patchRecord(record, call.body, {
      readOnly: offered.readOnly ?? [],
      create: operations.get(operation.id.replace('_patch_', '_create_') as OperationId),
    });
    return {
      before: mapRequest(record, chain, offered, context),
      after: mapRequest(changed, chain, offered, context),
    };
  }
}
