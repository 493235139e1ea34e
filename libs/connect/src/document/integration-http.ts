import { ApiError, type ProblemContext } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import {
  type ClientFile,
  type CompiledOperation,
  type CompiledProvider,
  type CredentialKind,
} from '#provider-document';
import {
  Authentication,
  failureContext,
  type JobPace,
  type Login,
  type OpenedCredential,
  type PermitPlace,
  type ProviderResponse,
  type ProviderHttp,
  type ProviderRequest,
  type Redactor,
  type SentResponse,
  type Session,
  type UploadedFile,
} from '#provider-http';
import { Addresses } from './addresses.js';
import { buildRequest, isQuery, type RequestStep, retryOf } from './build-request.js';
import { CallBudgets } from './call-budgets.js';
import { credentialUse, homeUse } from './credential-use.js';
import { type CallOptions, type HttpCall, type RequestSender, signalOf } from './http-call.js';
import { interpretResponse, reportState } from './interpret-response.js';
import { openSession, sessionKey } from './open-session.js';
import { partsApart } from './parts-apart.js';
import { onlyReads, type RequestStop, type ShownRequest } from './rehearsed-request.js';
import { RequestFacts } from './request-facts.js';
import { showRequest } from './show-request.js';
import { providerLabel } from '../usage/provider-metrics.js';

/** Time for a step of an upload that does not send the file, including retries and waiting for permits. */
const [maxUploadStepMs, maxCleanUpMs] = [60_000, 10_000];
const [defaultTimeoutMs, defaultMaxBytes] = [30_000, 33_554_432];

/** Sends the requests of a document for one integration, during one call. */
export class IntegrationHttp implements RequestSender {
  readonly redactor: Redactor;
  readonly drift: HttpCall['drift'];
  private readonly addresses: Addresses;
  private readonly authentications = new Map<string, Authentication | undefined>();
  private readonly budgets: CallBudgets;
  private readonly pace: JobPace | undefined;

  constructor(
    private readonly provider: CompiledProvider,
    private readonly parts: HttpCall,
    private readonly operation?: CompiledOperation,
    private readonly rehearsal?: RequestStop,
  ) {
    this.redactor = parts.redactor;
    this.drift = parts.drift;
    this.budgets = new CallBudgets(provider, this.config(), this.limits);
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

  /** Notes that the response to the last request refuses what was asked for, whatever its status says. */
  takeBack(): void {
    this.parts.write?.takeBack();
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

  /** Sends a request with the credential of the step. One that is refused with its session is sent again with a new one. @throws ApiError */
  async call(
    step: RequestStep,
    context: Record<string, Value>,
    options: CallOptions,
  ): Promise<SentResponse> {
    if (this.rehearsal !== undefined && !onlyReads(step))
      throw this.rehearsal.stopAt(step.place, await this.preview(step, context, options));
    const login = step.anonymous ? undefined : this.loginOf(step.credential);
    if (login === undefined || this.parts.isReplay) {
      const used = step.anonymous || login ? undefined : this.authentication(step.credential);
      return await this.send(step, context, options, used);
    }
    const session = await this.session(login);
    let isRefused = false;
    try {
      return await this.send(step, context, options, this.bySession(login, session), (status) => {
        isRefused = status === 401;
      });
    } catch (error) {
      if (!isRefused || options.file?.begun === true) throw error;
    }
    session.isRefused = true;
    const next = this.bySession(login, await this.session(login));
    return await this.send(step, context, options, next);
  }

  /** Computes a request without sending it. @throws ApiError */
  compose(step: RequestStep, context: Record<string, Value>): ProviderRequest {
    return this.request(step, context, { primary: false });
  }

  /** Returns a request as the provider would get it, without secrets. Tokens are asked for, because they decide what is sent. @throws ApiError */
  async preview(
    step: RequestStep,
    context: Record<string, Value>,
    options: CallOptions,
  ): Promise<ShownRequest> {
    const request = this.request(step, context, options);
    const { http, signal } = this.parts;
    const sent = await http.authenticate(request, {
      authentication: await this.authenticationOf(step),
      signal,
    });
    return showRequest(sent, this.redactor);
  }

  private async authenticationOf(step: RequestStep): Promise<Authentication | undefined> {
    if (step.anonymous) return undefined;
    const login = this.loginOf(step.credential);
    if (login === undefined) return this.authentication(step.credential);
    // The answer of a login is not recorded: its requests are replayed without a session.
    if (this.parts.isReplay) return undefined;
    return this.bySession(login, await this.session(login));
  }

  /**
   * Counts requests that a step is going to send in its budgets, so that none is sent before there is room for all of them, or for as many as
   * a period has.
   * @returns a function that gives back what was not sent @throws ApiError 429 if there is no room in time
   */
  async reserve(step: RequestStep, count: number): Promise<() => void> {
    const limits = this.budgets.toReserve(step, count, this.pace !== undefined);
    if (limits === undefined) return () => undefined;
    const { http, integration, signal } = this.parts;
    const used = step.anonymous ? undefined : this.authentication(step.credential);
    const permits = await http.reserve({
      call: { provider: this.provider.source.fullname },
      label: providerLabel(integration),
      place: this.placeOf(used, used?.credentialId),
      limits,
      signal,
      deadline: this.deadline(),
    });
    this.budgets.add(step, permits);
    return () => this.budgets.end(step);
  }

  /** Says whose limits count a request. */
  private placeOf(used: Authentication | undefined, credentialId: string | undefined): PermitPlace {
    const { id, organizationId, accountId } = this.parts.integration;
    return {
      organizationId,
      key: credentialId ?? id,
      credential: used && (() => `${this.addresses.origin} ${used.identity}`),
      caller: { account: accountId, integration: id },
      job: this.pace,
    };
  }

  /** @param onStatus gets the status of each response; a 401 then says nothing yet of the credential @throws ApiError */
  async send(
    step: RequestStep,
    context: Record<string, Value>,
    options: CallOptions,
    authentication: Authentication | undefined,
    onStatus?: (status: number) => void,
  ): Promise<SentResponse> {
    const request = this.request(step, context, options);
    const { provider, parts, redactor } = this;
    const { http } = provider.source;
    const { bridge } = parts.integration;
    if (authentication !== undefined && step.url !== undefined)
      this.addresses.checkOrigin(request.url);
    const { login } = options;
    const loginId = login?.isStored === false ? undefined : login?.id;
    const credentialId = loginId ?? authentication?.credentialId;
    const apartMs = options.cleanUp ? maxCleanUpMs : options.apartMs;
    const call = new RequestFacts(
      provider.source.fullname,
      request,
      credentialId,
      options.needs ?? this.operation?.source.needs,
      redactor,
    );
    const send = (onSend?: () => void) =>
      parts.http.send(request, {
        ...(onSend && { onSend }),
        call,
        label: providerLabel(parts.integration),
        place: this.placeOf(authentication, credentialId),
        authentication,
        redactor,
        route: bridge && parts.http.routeThrough(bridge),
        signal: apartMs === undefined ? parts.signal : AbortSignal.timeout(apartMs),
        deadline:
          apartMs === undefined ? this.deadline() : Math.max(parts.deadline, Date.now() + apartMs),
        timeoutMs: options.timeoutMs ?? (http.timeout ?? defaultTimeoutMs / 1000) * 1000,
        maxBytes: http.limits?.response_bytes ?? defaultMaxBytes,
        maxStreamBytes: http.limits?.stream_bytes,
        memory: parts.memory,
        limits: { concurrency: http.limits?.concurrency, ...this.budgets.take(step) },
        retry: retryOf(http),
        interpret: (answer) =>
          interpretResponse(answer, {
            provider,
            operation: this.operation,
            config: this.config(),
            limits: this.limits,
            drift: parts.drift,
          }),
        onResponse: (url, answer, status, message) => {
          const text = () => (login === undefined ? redactor.text(answer.text) : '[login]');
          parts.onResponse(() => ({ url: redactor.text(url.href), text: text() }), options.primary);
          onStatus?.(status);
          if (status === 401 && (authentication?.willRenew || (onStatus && !login))) return;
          if (options.isTolerated && status < 429) return;
          // Secrets in the answer to a login are not known yet.
          const words = login === undefined && message ? redactor.text(message) : '';
          reportState(parts.usage, status, provider, { credentialId, words });
        },
        onExchange: (exchange, sent, got) =>
          parts.onExchange?.(exchange, login === undefined ? sent : undefined, got),
        onBudgets: parts.onBudgets,
        onBroken: (failure) => parts.usage.failed(failure),
      });
    const isWrite = login === undefined && !onlyReads(step) && !isQuery(step);
    const answer = await (parts.write !== undefined && isWrite ? parts.write.watch(send) : send());
    answer.call = call;
    return answer;
  }

  /** Notes the state of the integration that a status of the provider shows. */
  reportStatus(status: number): void {
    reportState(this.parts.usage, status, this.provider);
  }

  /** Returns what a problem shows of a response: the call, and the provider's words. */
  contextOf(answer: ProviderResponse): ProblemContext {
    return answer.call === undefined ? {} : failureContext(answer.call, answer);
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

  get tokens(): ProviderHttp['tokens'] {
    return this.parts.http.tokens;
  }

  /** Makes one for requests behind the end of the call. */
  apart(): IntegrationHttp {
    return new IntegrationHttp(this.provider, partsApart(this.provider, this.parts));
  }

  /** Returns the login of a credential that opens a session; undefined for others. */
  private loginOf(slot: string | undefined): (Login & { opened: OpenedCredential }) | undefined {
    const wanted = this.provider.credentials.find((one) => slot === undefined || one.slot === slot);
    if (wanted?.opensSession !== true) return undefined;
    const opened = this.parts.credential(wanted.slot);
    const sending = opened && wanted.kinds.get(opened.kind as CredentialKind);
    if (opened?.atHome !== undefined || !opened || !sending?.session) return undefined;
    for (const value of Object.values(opened.config))
      if (typeof value === 'string') this.hide(value);
    const { organizationId, accountId } = this.parts.integration;
    const owner = [organizationId, accountId, this.provider.source.provider, wanted.slot];
    const { session } = sending;
    return {
      opened,
      key: sessionKey(this.provider, owner, opened, this.config()),
      logIn: () =>
        openSession(this, { ...sending, session }, opened, this.placedAt(wanted.slot, opened)),
    };
  }

  private async session(login: Login): Promise<Session> {
    const session = await this.parts.http.sessions.get(login, signalOf(this.parts.signal));
    for (const secret of session.secrets) this.hide(secret);
    return session;
  }

  private bySession({ opened }: { opened: OpenedCredential }, { use }: Session): Authentication {
    return new Authentication(opened, use, this.tokens, this.redactor, this.beside());
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
        `${this.provider.source.fullname} does not accept ${opened.kind} as ${slot}`,
        { remediation: `Use one of ${[...kinds.keys()].join(', ')}.` },
      );
    const { atHome } = opened;
    const context = this.placedAt(slot, opened);
    const useOf = (credential: OpenedCredential) => credentialUse(sending, credential, context);
    const use =
      atHome === undefined ? useOf(opened) : homeUse(sending, { ...opened, atHome }, context);
    return new Authentication(opened, use, this.parts.http.tokens, this.redactor, beside, useOf);
  }

  private placedAt(slot: string, { kind }: OpenedCredential) {
    const { organizationId, accountId, category: domain } = this.parts.integration;
    return {
      organizationId,
      accountId,
      domain,
      signatureHeader: this.parts.http.signatureHeader,
      config: this.config(),
      place: `credentials.${slot}.${kind}`,
      limits: this.limits,
    };
  }

  /** The credentials that are sent with every other one. */
  beside(): Authentication[] {
    return this.provider.credentials.flatMap(({ beside, slot }) =>
      beside ? (this.authentication(slot) ?? []) : [],
    );
  }
}
