import { ApiError } from '#contract';
import type { Value } from '#mapping';
import {
  type CompiledCall,
  type CompiledError,
  type CompiledOperation,
  type CompiledProvider,
  type CompiledStep,
  type CredentialKind,
  evaluate,
  evaluateTemplate,
  textOf,
} from '#provider-document';
import {
  Authentication,
  FileBody,
  multipartBody,
  type OpenedCredential,
  pairs,
  type ProviderResponse,
  type ProviderHttp,
  type ProviderRequest,
  type Redactor,
  type SentResponse,
  type UploadedFile,
  writeBody,
} from '#provider-http';
import type { CallUsage } from '../usage.js';
import { credentialUse } from './credential-use.js';

interface CallOptions {
  url?: string | undefined;
  primary: boolean;
  needs?: string;
  /** What the request brings, for the step that sends it. */
  file?: UploadedFile | undefined;
}

/** What a document's calls need of an integration and of the request they serve. */
export interface HttpCall {
  http: ProviderHttp;
  integration: {
    id: string;
    organizationId: string;
    accountId: string;
    providerConfig: Record<string, unknown>;
  };
  /** The credential in a place of the configuration, opened. @throws ApiError when it has expired */
  credential(slot: string): OpenedCredential | undefined;
  /** Secrets of this call that callers and logs must not see. */
  readonly redactor: Redactor;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  deadline: number;
  /** What the call uses; here it is said in which state the integration was found: `usage.report('credentials_refused', why)`. */
  readonly usage: CallUsage;
  /**
   * Tells of an answer of the provider: one more call of it, and for the meta functions.
   * @param text without secrets; asked for only when a meta function wants it
   * @param primary the call populates the result
   */
  onResponse(url: string, text: () => string, primary: boolean): void;
}

/** What a step beside the file may take, retries and waiting for permits included. */
const stepMs = 60_000;
const usualTimeoutMs = 30_000;
const usualBytes = 33_554_432;
const usualRetries = [429, 502, 503, 504];

/** The calls of one document for one integration, during one request. */
export class IntegrationHttp {
  private readonly redactor: Redactor;
  private readonly authentications = new Map<string, Authentication | undefined>();

  constructor(
    private readonly provider: CompiledProvider,
    private readonly parts: HttpCall,
    private readonly operation?: CompiledOperation,
  ) {
    this.redactor = parts.redactor;
  }

  /** A text of the provider as callers may see it. */
  shown(text: string): string {
    return this.redactor.text(text);
  }

  /** Keeps a secret from what callers and logs see. */
  hide(secret: string): void {
    this.redactor.add(secret);
  }

  /** The fields of a credential, each kept from what callers and logs see. @param slot the first of the document when absent */
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
    step: CompiledCall & Partial<CompiledStep>,
    context: Record<string, Value>,
    options: CallOptions,
  ): Promise<SentResponse> {
    const request = this.request(step, context, options);
    const { provider, parts, redactor } = this;
    const { http } = provider.source;
    const authentication = step.anonymous ? undefined : this.authentication(step.credential);
    if (authentication !== undefined && step.url !== undefined) this.checkOrigin(request.url);
    const credentialId = authentication?.credentialId;
    return await parts.http.send(request, {
      call: {
        provider: provider.source.fullname,
        method: request.method,
        address: redactor.text(`${request.url.origin}${request.url.pathname}`),
        credentialId,
        needs: options.needs ?? this.operation?.source.needs,
        redactor,
      },
      place: {
        organizationId: parts.integration.organizationId,
        key: credentialId ?? parts.integration.id,
      },
      authentication,
      redactor,
      signal: parts.signal,
      deadline: this.deadline(),
      timeoutMs: (http.timeout ?? usualTimeoutMs / 1000) * 1000,
      maxBytes: http.limits?.response_bytes ?? usualBytes,
      maxStreamBytes: http.limits?.stream_bytes,
      limits: {
        concurrency: http.limits?.concurrency,
        requests: http.limits?.requests,
        periodMs: (http.limits?.period ?? 60) * 1000,
      },
      retry: {
        attempts: http.retry?.attempts ?? 3,
        statuses: http.retry?.statuses ?? usualRetries,
        resets: http.retry?.resets ?? [],
      },
      interpret: (answer) => this.interpret(answer),
      onResponse: (url, answer) => {
        parts.onResponse(redactor.text(url), () => redactor.text(answer.text), options.primary);
        this.report(answer, credentialId ?? 'the credential');
      },
      onBroken: (failure) => parts.usage.failed(failure),
    });
  }

  /** That of a call that brings a file is far away, for the file: what its steps do beside that has its usual time each. */
  private deadline(): number {
    const { deadline } = this.parts;
    return this.operation?.takesFile ? Math.min(deadline, Date.now() + stepMs) : deadline;
  }

  /** What the answer says of the integration as a whole. */
  private report(answer: ProviderResponse, credential: string): void {
    const status = this.interpret(answer).status ?? answer.status;
    const { fullname } = this.provider.source;
    const { usage } = this.parts;
    if (status === 401) usage.report('credentials_refused', `${fullname} refuses ${credential}`);
    if (status === 403)
      usage.report('permission_missing', `${fullname} does not permit this with ${credential}`);
    if (status === 429) usage.report('rate_limited', `${fullname} takes no more calls for now`);
  }

  private request(
    step: CompiledCall & Partial<CompiledStep>,
    context: Record<string, Value>,
    { url, file }: CallOptions,
  ): ProviderRequest {
    const input: Value = { config: this.config(), ...context };
    const common =
      this.provider.headers && evaluateTemplate(this.provider.headers, input, 'http.headers');
    const own = step.headers && evaluateTemplate(step.headers, input, `${step.place}.headers`);
    const headers = Object.fromEntries(
      [...pairs(common), ...pairs(own)].map(([name, value]) => [name.toLowerCase(), value]),
    );
    const value = step.body && evaluateTemplate(step.body, input, `${step.place}.body`);
    const written = step.sendsFile
      ? this.fileBody(step, value, file)
      : value === undefined
        ? undefined
        : this.written(step, value);
    headers['user-agent'] ??= 'onefold';
    if (written?.type !== undefined) headers['content-type'] ??= written.type;
    return {
      method: step.method,
      url: url === undefined ? this.addressOf(step, input) : this.nextAddress(url),
      headers,
      secretHeaders: [],
      ...(written === undefined ? {} : { body: written.body }),
      answer: step.answer ?? 'json',
      accept: step.accept ?? new Set(),
      repeatable: step.repeatable ?? step.method === 'GET',
    };
  }

  private fileBody(
    { place, part }: CompiledCall & Partial<CompiledStep>,
    value: Value,
    file: UploadedFile | undefined,
  ): { body: FileBody; type: string } {
    if (file === undefined) throw new ApiError(502, `there is no file for ${place}`, {});
    const most = this.provider.source.http.limits?.stream_bytes;
    file.checkSize(most);
    const body =
      part === undefined
        ? new FileBody(file, file.type, most)
        : multipartBody(file, part, pairs(value), most);
    return { body, type: body.type };
  }

  private written(step: CompiledCall & Partial<CompiledStep>, value: Value) {
    try {
      return writeBody(value, step.encoding ?? 'json');
    } catch (cause) {
      throw new ApiError(
        502,
        `the provider document failed at ${step.place}.body: ${String(cause)}`,
        { cause },
      );
    }
  }

  private addressOf(step: CompiledCall & Partial<CompiledStep>, input: Value): URL {
    if (step.url === undefined) return this.address(step, input);
    const text = textOf(evaluate(step.url, input, `${step.place}.url`)) ?? '';
    if (URL.canParse(text)) return new URL(text);
    throw new ApiError(502, `the provider document failed at ${step.place}.url: it is no URL`, {
      context: { raw_error: this.shown(text).slice(0, 500) },
    });
  }

  /** An address that the provider gives gets the credential only where the document says so. */
  private checkOrigin({ origin }: URL): void {
    const trusted = [this.baseUrl().origin, ...(this.provider.source.http.origins ?? [])];
    if (trusted.includes(origin)) return;
    throw new ApiError(502, `${origin} is not where ${this.provider.source.fullname} lies`, {
      remediation: `The credential goes to ${trusted.join(', ')} only (base_url and http.origins of the provider document).`,
    });
  }

  private address(step: CompiledCall, input: Value): URL {
    const path = step.path((query) => evaluate(query, input, `${step.place}.path`));
    const base = this.baseUrl();
    const url = new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`);
    for (const [name, value] of base.searchParams) url.searchParams.append(name, value);
    const query = step.query && evaluateTemplate(step.query, input, `${step.place}.query`);
    for (const [name, value] of pairs(query)) url.searchParams.append(name, value);
    return url;
  }

  /** The address of a next page, which stays with the provider: it carries the credential. */
  private nextAddress(text: string): URL {
    const base = this.baseUrl();
    const url = new URL(text, base);
    if (url.origin !== base.origin)
      throw new ApiError(502, `the next page lies at ${url.origin}, not at ${base.origin}`, {
        remediation: 'Check the address in provider_config.',
      });
    return url;
  }

  private baseUrl(): URL {
    const value =
      textOf(
        evaluate(this.provider.baseUrl, { config: this.config() }, this.provider.baseUrlPlace),
      ) ?? '';
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
    throw new ApiError(
      502,
      `the address "${value.slice(0, 100)}" of the provider must be an https or http address`,
      { remediation: 'Correct it in provider_config; write it as https://host/path.' },
    );
  }

  config(): Value {
    return this.parts.integration.providerConfig;
  }

  private authentication(slot: string | undefined): Authentication | undefined {
    const wanted = this.provider.credentials.find((one) => slot === undefined || one.slot === slot);
    if (wanted === undefined) return undefined;
    if (this.authentications.has(wanted.slot)) return this.authentications.get(wanted.slot);
    const opened = this.parts.credential(wanted.slot);
    const made = opened && this.authenticate(wanted, opened);
    if (made === undefined && !wanted.optional)
      throw new ApiError(502, `the integration has no ${wanted.slot}`, {
        remediation: `Set provider_config.${wanted.slot} of the integration.`,
      });
    this.authentications.set(wanted.slot, made);
    return made;
  }

  private authenticate(
    { slot, kinds }: CompiledProvider['credentials'][number],
    opened: OpenedCredential,
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
    const { organizationId, accountId } = this.parts.integration;
    const use = credentialUse(sending, opened, {
      ...{ config: this.config(), place: `credentials.${slot}.${opened.kind}` },
      ...{ organizationId, accountId },
    });
    return new Authentication(opened, use, this.parts.http.tokens, this.redactor);
  }

  /** What the document says that an answer means. */
  private interpret(answer: ProviderResponse): { status?: number; message?: string } {
    const { provider, operation } = this;
    const input: Value = {
      status: answer.status,
      headers: { ...answer.headers },
      body: answer.body,
      config: this.config(),
    };
    const fits = (error: CompiledError) =>
      quietly(() => evaluate(error.when, input, 'errors.when')) === true;
    const found = [...(operation?.errors ?? []), ...provider.errors].find(fits);
    const limited =
      provider.limited &&
      quietly(() => evaluate(provider.limited as never, input, 'http.limited')) === true;
    const status = found?.status ?? (limited ? 429 : undefined);
    if (status === undefined && answer.status < 300) return {};
    const words = found?.message ?? provider.message;
    const message = words && quietly(() => evaluate(words, input, 'http.message'));
    return {
      ...(status === undefined ? {} : { status }),
      ...(typeof message === 'string' && message !== '' ? { message } : {}),
    };
  }
}

/** An error that has another shape than the document expects is still that error. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
