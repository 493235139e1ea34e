import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { ResolvedBridge } from '#bus';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import {
  Attempts,
  type EgressPolicy,
  hostFailureOf,
  isTimeout,
  type Pauses,
  remainingOf,
  waitMs,
} from '#egress';
import { inSpan, type Span, type SpanFacts } from '#observe';
import type { TokenSource } from './credentials/access-tokens.js';
import { authenticateRequest } from './credentials/authenticate-request.js';
import { bridgeRoute, type BridgeSender } from './sending/bridge-dispatcher.js';
import { CallSlots, type CallWait, type SlotRequest } from './limits/call-slots.js';
import type { ClientCertificates } from './credentials/client-certificates.js';
import { hostKey, type Route } from './sending/route.js';
import { responseStream } from './bodies/response-stream.js';
import { sendRequest } from './sending/send-request.js';
import { Sessions } from './credentials/sessions.js';
import type { FailedCall } from './failed-call.js';
import { type MemoryLease, ResponseMemory } from './limits/response-memory.js';
import { failureInStream, failureOf, failureWithoutAnswer } from './failures.js';
import { FileBody } from './bodies/file-body.js';
import type { Permit, Permits } from './limits/permits.js';
import type {
  ProviderResponse,
  ProviderRequest,
  UnreadResponse,
  SentResponse,
} from './provider-request.js';
import type { Interpretation, SendOptions } from './send-options.js';
import { sentExchange } from './sent-exchange.js';
import { IdleTimer } from './bodies/idle-timer.js';

/** A response with its meaning. */
interface Received {
  answer: UnreadResponse;
  /** The status as it was interpreted. */
  status: number;
  message: string | undefined;
  retryAfterMs: number | undefined;
}

/** Result of one attempt. `hostFailure` describes how the host failed, if it did. */
type Attempt = { hostFailure: string | undefined } & (
  (Omit<Received, 'answer'> & { answer: SentResponse }) | { error: unknown; timedOut: boolean }
);

/** The bus and the gateway wait a minute for the next chunk of a stream. */
const maxSilenceMs = 55_000;

/** Sends requests to providers: authenticated, limited, retried where that is safe, and never beyond the deadline. */
export class ProviderHttp {
  private readonly attempts: Attempts;
  private readonly slots: CallSlots;
  private readonly memory: ResponseMemory;
  /** The sessions that credentials open. */
  readonly sessions: Sessions;

  constructor(
    private readonly parts: {
      dispatcher: Dispatcher;
      /** Connections with a client certificate; without them, requests that need one are refused. */
      certificates?: Pick<ClientCertificates, 'dispatcher'>;
      policy: EgressPolicy;
      permits: Permits;
      clock: Clock;
      tokens: TokenSource;
      /** Without it, requests through a bridge are refused. */
      bridges?: BridgeSender;
      /** Hosts whose failures are remembered; 5,000 when absent. */
      maxHosts?: number;
      /** Shared with the permits by processes that end while calls wait. */
      pauses?: Pauses;
      /** The memory of responses; not limited when absent. */
      memory?: ResponseMemory;
      /** A further name of the header with the signature of a body. */
      signatureHeader?: string | undefined;
      /** Called for a request that waited for a limit or a turn. */
      onWait?: (wait: CallWait) => void;
      /** Shared with requests for tokens; own ones when absent. */
      attempts?: Attempts;
    },
  ) {
    const { clock, maxHosts, pauses } = parts;
    this.attempts = parts.attempts ?? new Attempts({ clock, maxHosts, pauses });
    this.slots = new CallSlots(parts.permits, parts.onWait);
    this.memory = parts.memory ?? new ResponseMemory(Infinity);
    this.sessions = new Sessions(parts.clock);
  }

  /** Counts slots of calls and files, calls that wait for one, sessions and circuits. */
  get held() {
    const { size: sessions } = this.sessions;
    return { ...this.slots.held, sessions, circuits: this.attempts.circuitCount };
  }

  /** The circuits of hosts that refuse calls now. */
  get openCircuits(): Attempts['openCircuits'] {
    return this.attempts.openCircuits;
  }

  get tokens(): TokenSource {
    return this.parts.tokens;
  }

  get signatureHeader(): string | undefined {
    return this.parts.signatureHeader;
  }

  /** Returns the way through the bridge groups of an integration. @throws ApiError 501 where there are no bridges */
  routeThrough(bridge: ResolvedBridge): Route {
    if (this.parts.bridges !== undefined) return bridgeRoute(this.parts.bridges, bridge);
    throw new ApiError(501, 'bridges cannot be used here', {
      remediation: 'Call the provider through a connector, which reaches bridge agents.',
    });
  }

  /**
   * Counts requests before they are sent, so that none is sent in vain.
   * @returns a permit for each @throws ApiError 429 if there is no room for all of them in time
   */
  reserve(call: SlotRequest): Promise<readonly Permit[]> {
    return this.slots.reserve(call);
  }

  /** Returns a request as it would be sent, with its credential. @throws ApiError */
  async authenticate(
    request: ProviderRequest,
    { authentication, signal }: Pick<SendOptions, 'authentication' | 'signal'>,
  ): Promise<ProviderRequest> {
    const idleTimer = new IdleTimer(maxSilenceMs, signal);
    idleTimer.start();
    try {
      return await authenticateRequest(request, authentication, idleTimer);
    } finally {
      idleTimer.end();
    }
  }

  /** @throws ApiError for every failure, with the provider's own answer in its context */
  async send(request: ProviderRequest, options: SendOptions): Promise<SentResponse> {
    let current = options;
    const host = hostKey(request, options.route);
    const outcome = await this.attempts.run<Attempt>({
      url: request.url,
      host,
      organizationId: options.place.organizationId,
      label: options.label,
      signal: options.signal,
      deadline: options.deadline,
      maxAttempts: options.retry.attempts,
      attempt: () => {
        const attempt = this.attempt(request, host, current);
        // A request that was counted before it was sent is counted again when it is repeated.
        if (current.limits.reserved !== undefined) current = uncounted(options);
        return attempt;
      },
      mayRepeat: (last) => this.mayRepeat(request, last, options),
    });
    if ('error' in outcome) {
      if (options.signal.aborted && !outcome.timedOut) throw outcome.error;
      throw failureWithoutAnswer(options.call, outcome.error, outcome.timedOut);
    }
    const { answer } = outcome;
    if (isAnswer(request, answer, outcome.status)) {
      if (options.place.job) options.place.job.answered = true;
      return answer;
    }
    throw failureOf(options.call, answer, outcome);
  }

  private async attempt(
    request: ProviderRequest,
    host: string,
    options: SendOptions,
  ): Promise<Attempt> {
    let release = await this.slots.take(request, host, options);
    const timeoutMs = Math.max(
      1,
      Math.min(options.timeoutMs, options.deadline - this.parts.clock.now()),
    );
    const idleTimer = new IdleTimer(timeoutMs, options.signal);
    idleTimer.start();
    let streams = false;
    const memory = options.memory ?? this.memory.open();
    const parts = { idleTimer, timeoutMs, memory };
    try {
      let received = await this.once(request, options, parts, release);
      if (received.status === 401 && options.authentication?.renews && !isSent(request)) {
        received.answer.stream?.destroy();
        release();
        release = done;
        release = await this.slots.take(request, host, uncounted(options));
        received = await this.once(request, options, parts, release);
      }
      const { answer, status, message, retryAfterMs } = received;
      streams = answer.stream !== undefined && isOk(status);
      return {
        answer: streams ? this.passOn(answer, options, release) : withoutStream(answer),
        status,
        message,
        // A limit is one of the credential, whatever status says so.
        hostFailure:
          answer.status >= 500 && answer.status !== 501 && status !== 429
            ? `it answered ${answer.status}`
            : undefined,
        retryAfterMs,
      };
    } catch (error) {
      if (request.body instanceof FileBody && request.body.failure) throw request.body.failure;
      if (error instanceof ApiError) throw error;
      const timedOut = idleTimer.timedOut || isTimeout(error);
      const hostFailure = options.signal.aborted ? undefined : hostFailureOf(error, timedOut);
      return { error, timedOut, hostFailure };
    } finally {
      idleTimer.end();
      if (options.memory === undefined) memory.release();
      if (!streams) release();
    }
  }

  /** Passes on a response whose body is not read yet. The call keeps its slot until the body ends. */
  private passOn(
    { stream, ...answer }: UnreadResponse,
    options: SendOptions,
    release: () => void,
  ): SentResponse {
    const { call, signal, maxStreamBytes: maxBytes } = options;
    return {
      ...answer,
      stream: responseStream(stream as Readable, {
        maxBytes,
        signal,
        failure: (error, bytes) => failureInStream(call, error, bytes),
        ended: (broken) => {
          release();
          if (broken !== undefined) options.onBroken?.(broken);
        },
      }),
    };
  }

  private async once(
    request: ProviderRequest,
    options: SendOptions,
    {
      idleTimer,
      timeoutMs,
      memory,
    }: { idleTimer: IdleTimer; timeoutMs: number; memory: MemoryLease },
    permit: Permit,
  ): Promise<Received> {
    const { authentication, maxBytes, timeoutMs: idleMs, route } = options;
    const { certificates } = this.parts;
    const { dispatcher, policy } = route ?? this.parts;
    const certificate = authentication?.clientCertificate;
    if (certificate !== undefined && certificates === undefined)
      throw new ApiError(501, 'client certificates cannot be presented here', {
        remediation: 'Call the provider through a connector, which has connections for them.',
      });
    if (certificate !== undefined && route !== undefined)
      throw new ApiError(501, 'client certificates cannot be presented through a bridge', {
        remediation: 'Remove bridge_selector of the integration, or use another credential.',
      });
    const sent = await authenticateRequest(request, authentication, idleTimer, route);
    options.onSend?.();
    const facts = () => factsOf(sent, options.call);
    const name = `${sent.method} ${options.call.provider}`;
    permit.sent?.();
    const begun = performance.now();
    const send = async (span: Span) => {
      const answer = await sendRequest(sent, {
        dispatcher,
        ...(certificate && certificates ? { own: certificates.dispatcher(certificate) } : {}),
        policy,
        idleTimer,
        timeoutMs,
        idleMs: Math.min(idleMs, maxSilenceMs),
        maxBytes,
        memory,
        ...(authentication?.isAddress === false
          ? {
              authenticate: (url) =>
                authenticateRequest({ ...request, url }, authentication, idleTimer, route),
            }
          : {}),
      });
      span.set({ 'http.response.status_code': answer.status });
      if (answer.status >= 500) span.fail();
      return answer;
    };
    let answer: UnreadResponse | undefined;
    try {
      answer = await inSpan(name, { kind: 'client', facts }, send);
    } finally {
      options.onExchange?.(sentExchange(sent, begun, answer), sent, answer);
    }
    const meaning = options.interpret(answer);
    const { status = answer.status, message } = meaning;
    options.onResponse(sent.url, answer, status, message);
    if (status === 401) authentication?.renew();
    const retryAfterMs = isOk(status)
      ? undefined
      : this.askedWait(answer, status, meaning, options);
    if (permit.answered !== undefined) {
      const left = remainingOf(answer.headers, this.parts.clock.now());
      permit.answered({ left, pausedMs: status === 429 ? (retryAfterMs ?? 1_000) : undefined });
      options.onBudgets?.(permit.status?.() ?? []);
    }
    return { answer, status, message, retryAfterMs };
  }

  /** The wait that a failure asks for. */
  private askedWait(
    { headers }: UnreadResponse,
    status: number,
    meaning: Interpretation,
    { retry: { resets } }: SendOptions,
  ): number | undefined {
    const now = this.parts.clock.now();
    return waitMs(headers, status === 429 ? resets : undefined, now) ?? meaning.retryAfterMs;
  }

  /**
   * A request that was refused with 429 has had no effect, so it may be repeated whatever its method. After other failures only
   * repeatable requests are.
   */
  private mayRepeat(
    request: ProviderRequest,
    attempt: Attempt,
    { retry: { statuses }, signal, place: { job } }: SendOptions,
  ): boolean {
    if (signal.aborted || isSent(request)) return false;
    if ('error' in attempt) return request.repeatable && attempt.hostFailure !== undefined;
    if (isAnswer(request, attempt.answer, attempt.status)) return false;
    if (attempt.status === 429) return job === undefined || job.answered;
    return request.repeatable && statuses.includes(attempt.status);
  }
}

const done: Permit = () => undefined;

/** The options of a request that is sent once more: it counts anew. */
function uncounted(options: SendOptions): SendOptions {
  const { reserved: _, ...limits } = options.limits;
  return { ...options, limits };
}

/** Facts of a request for traces. Its path is not among them: it may hold ids and secrets. */
function factsOf({ url, method }: ProviderRequest, { provider }: FailedCall): SpanFacts {
  return {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'onefold.provider': provider,
  };
}

/** Ends the stream of a response that is not passed on. */
function withoutStream(answer: UnreadResponse): ProviderResponse {
  if (answer.stream === undefined) return answer;
  const { stream, ...whole } = answer;
  stream.destroy();
  return whole;
}

/** True once sending the file has begun. */
function isSent({ body }: ProviderRequest): boolean {
  return body instanceof FileBody && body.begun;
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

function isAnswer(request: ProviderRequest, answer: SentResponse, status: number): boolean {
  return isOk(status) || (status === answer.status && request.accept.has(answer.status));
}
