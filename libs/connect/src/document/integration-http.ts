import type { ResolvedBridge } from '#bus';
import { ApiError, type ProblemContext, type CallAborts } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import {
  type ClientFile,
  type CompiledOperation,
  type CompiledProvider,
  type CredentialKind,
} from '#provider-document';
import {
  Authentication,
  type FailedCall,
  failureContext,
  type JobPace,
  type OpenedCredential,
  type ProviderResponse,
  type ProviderHttp,
  type ProviderRequest,
  type Redactor,
  type SentResponse,
  type UploadedFile,
} from '#provider-http';
import type { CallUsage } from '../usage.js';
import { Addresses } from './addresses.js';
import { buildRequest, type RequestStep } from './build-request.js';
import { credentialUse, homeUse } from './credential-use.js';
import { interpretResponse, reportState } from './interpret-response.js';

interface CallOptions {
  url?: string | undefined;
  primary: boolean;
  needs?: string;
  /** The file of the upload, for the step that sends it. */
  file?: UploadedFile | undefined;
  /** Sent even after the call has ended, within {@link maxCleanUpMs}. */
  cleanUp?: boolean | undefined;
  /** Instead of the document's timeout. */
  timeoutMs?: number;
}

/** Facts that the requests of a document need about the integration and the call they belong to. */
export interface HttpCall {
  /** Identifies the records of a create, if the caller names them. */
  readonly batchId?: string | undefined;
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
  /** Counts what the call uses, and notes the integration's state: `usage.report('credentials_refused', why)`. */
  readonly usage: CallUsage;
  /**
   * Called for every response, which is counted and kept for meta functions.
   * @param shown returns address and text of the response without secrets; called only if a meta function needs them
   * @param primary true if the response populates the result
   */
  onResponse(shown: () => { url: string; text: string }, primary: boolean): void;
}

/** Time for a step of an upload that does not send the file, including retries and waiting for permits. */
const maxUploadStepMs = 60_000;
const maxCleanUpMs = 10_000;
const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 33_554_432;
/** 520 and above are those of proxies before a provider. */
const defaultRetryStatuses = [
  ...[408, 429, 500, 502, 503, 504],
  ...[520, 521, 522, 523, 524, 525, 526, 527, 529, 530],
];

/** Sends the requests of a document for one integration, during one call. */
export class IntegrationHttp {
  private readonly redactor: Redactor;
  private readonly addresses: Addresses;
  private readonly authentications = new Map<string, Authentication | undefined>();

  private readonly pace: JobPace | undefined;

  constructor(
    private readonly provider: CompiledProvider,
    private readonly parts: HttpCall,
    private readonly operation?: CompiledOperation,
  ) {
    this.redactor = parts.redactor;
    this.pace = parts.isJob ? { answered: false } : undefined;
    this.addresses = new Addresses(provider, {
      config: this.config(),
      limits: this.limits,
      shown: (text) => this.shown(text),
      openedCredential: () => this.openedCredential(),
    });
  }

  /** Limits of each expression that is evaluated for the integration. */
  get limits(): Limits | undefined {
    return this.parts.limits;
  }

  /** Identifies the records of a create, if the caller names them. */
  get batchId(): string | undefined {
    return this.parts.batchId;
  }

  /** Removes secrets from a text of the provider. */
  shown(text: string): string {
    return this.redactor.text(text);
  }

  /** Hides a secret from callers and logs. */
  hide(secret: string): void {
    this.redactor.add(secret);
  }

  /** Returns the fields of a credential, and hides each from callers and logs. @param slot the first of the document when absent */
  openedCredential(
    slot = this.provider.credentials[0]?.slot ?? '',
  ): Readonly<Record<string, unknown>> | undefined {
    const config = this.parts.credential(slot)?.config;
    for (const value of Object.values(config ?? {}))
      if (typeof value === 'string') this.hide(value);
    return config;
  }

  /** @throws ApiError */
  async call(
    step: RequestStep,
    context: Record<string, Value>,
    options: CallOptions,
  ): Promise<SentResponse> {
    const request = this.request(step, context, options);
    const { provider, parts, redactor } = this;
    const { http } = provider.source;
    const { organizationId, id, bridge } = parts.integration;
    const authentication = step.anonymous ? undefined : this.authentication(step.credential);
    if (authentication !== undefined && step.url !== undefined)
      this.addresses.checkOrigin(request.url);
    const credentialId = authentication?.credentialId;
    const call = new RequestFacts(
      provider.source.fullname,
      request,
      credentialId,
      options.needs ?? this.operation?.source.needs,
      redactor,
    );
    const answer = await parts.http.send(request, {
      call,
      place: { organizationId, key: credentialId ?? id, job: this.pace },
      authentication,
      redactor,
      route: bridge && parts.http.routeThrough(bridge),
      signal: options.cleanUp ? AbortSignal.timeout(maxCleanUpMs) : parts.signal,
      deadline: options.cleanUp ? Date.now() + maxCleanUpMs : this.deadline(),
      timeoutMs: options.timeoutMs ?? (http.timeout ?? defaultTimeoutMs / 1000) * 1000,
      maxBytes: http.limits?.response_bytes ?? defaultMaxBytes,
      maxStreamBytes: http.limits?.stream_bytes,
      limits: {
        concurrency: http.limits?.concurrency,
        requests: http.limits?.requests,
        periodMs: (http.limits?.period ?? 60) * 1000,
      },
      retry: {
        attempts: http.retry?.attempts ?? 3,
        statuses: http.retry?.statuses ?? defaultRetryStatuses,
        resets: http.retry?.resets ?? [],
      },
      interpret: (answer) =>
        interpretResponse(answer, {
          provider,
          operation: this.operation,
          config: this.config(),
          limits: this.limits,
        }),
      onResponse: (url, answer, status) => {
        parts.onResponse(
          () => ({ url: redactor.text(url.href), text: redactor.text(answer.text) }),
          options.primary,
        );
        if (status === 401 && authentication?.willRenew) return;
        const credential = credentialId ?? 'the credential';
        reportState(parts.usage, status, provider.source.fullname, credential);
      },
      onBroken: (failure) => parts.usage.failed(failure),
    });
    answer.call = call;
    return answer;
  }

  /** Returns what a problem shows of a response: the call, and the provider's words. */
  contextOf(answer: ProviderResponse): ProblemContext {
    const { call } = answer;
    return call === undefined ? {} : failureContext(call, answer);
  }

  /** The deadline of an upload is far away, for the file; its other steps get a shorter one. */
  private deadline(): number {
    const { deadline } = this.parts;
    return this.operation?.takesFile ? Math.min(deadline, Date.now() + maxUploadStepMs) : deadline;
  }

  private request(
    step: RequestStep,
    context: Record<string, Value>,
    { url, file }: CallOptions,
  ): ProviderRequest {
    const input: Value = { config: this.config(), ...context };
    const { provider, limits, parts } = this;
    const addressOf = () =>
      url === undefined ? this.addresses.compute(step, input) : this.addresses.resolveNext(url);
    return buildRequest(step, addressOf, { provider, input, limits, file, range: parts.range });
  }

  /** The file of an upload for a function, within the limit of the document. */
  clientFile(file: UploadedFile): ClientFile {
    const maxBytes = this.provider.source.http.limits?.stream_bytes;
    file.checkSize(maxBytes);
    return { type: file.type, size: file.size, chunks: () => file.chunks(maxBytes) };
  }

  config(): Value {
    return this.parts.integration.providerConfig;
  }

  private authentication(slot: string | undefined): Authentication | undefined {
    const wanted = this.provider.credentials.find((one) => slot === undefined || one.slot === slot);
    if (wanted === undefined) return undefined;
    if (this.authentications.has(wanted.slot)) return this.authentications.get(wanted.slot);
    const opened = this.parts.credential(wanted.slot);
    if (opened === undefined && !wanted.optional)
      throw new ApiError(502, `the integration has no ${wanted.slot}`, {
        remediation: `Set provider_config.${wanted.slot} of the integration.`,
      });
    const beside = wanted.beside ? [] : this.beside();
    // A credential that is sent beside others is sent alone where there is no other.
    const made = opened
      ? this.authenticate(wanted, opened, beside)
      : Authentication.together(beside);
    this.authentications.set(wanted.slot, made);
    return made;
  }

  private authenticate(
    { slot, kinds }: CompiledProvider['credentials'][number],
    opened: OpenedCredential,
    beside: Authentication[],
  ): Authentication {
    const sending = kinds.get(opened.kind as CredentialKind);
    if (sending === undefined)
      throw new ApiError(
        502,
        `${this.provider.source.fullname} takes no ${opened.kind} as ${slot}`,
        {
          remediation: `Use one of ${[...kinds.keys()].join(', ')}.`,
        },
      );
    const { organizationId, accountId, category: domain } = this.parts.integration;
    const { atHome } = opened;
    const context = {
      ...{ config: this.config(), place: `credentials.${slot}.${opened.kind}` },
      ...{ organizationId, accountId, domain, limits: this.limits },
      signatureHeader: this.parts.http.signatureHeader,
    };
    const useOf = (credential: OpenedCredential) => credentialUse(sending, credential, context);
    const use =
      atHome === undefined ? useOf(opened) : homeUse(sending, { ...opened, atHome }, context);
    return new Authentication(
      ...([opened, use, this.parts.http.tokens, this.redactor, beside, useOf] as const),
    );
  }

  /** The credentials that are sent with every other one. */
  private beside(): Authentication[] {
    return this.provider.credentials.flatMap(({ beside, slot }) =>
      beside ? (this.authentication(slot) ?? []) : [],
    );
  }
}

/** The facts about a request. As a class: V8 makes a slow dictionary of each literal whose getter is another function than before. */
class RequestFacts implements FailedCall {
  constructor(
    readonly provider: string,
    private readonly request: ProviderRequest,
    readonly credentialId: string | undefined,
    readonly needs: string | undefined,
    readonly redactor: Redactor,
  ) {}

  get method(): string {
    return this.request.method;
  }

  get address(): string {
    const { origin, pathname } = this.request.url;
    return this.redactor.text(`${origin}${pathname}`);
  }
}
