import { randomInt } from 'node:crypto';
import { BrokenCircuitError, DelegateBackoff, handleWhenResult, retry } from 'cockatiel';
import type { Dispatcher } from 'undici';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import type { EgressPolicy } from '#egress';
import type { TokenSource } from './access-tokens.js';
import type { Authentication } from './authentication.js';
import { Circuits } from './circuits.js';
import { exchange } from './exchange.js';
import { FairTurns } from './fair-turns.js';
import { type FailedCall, failureOf, failureWithoutAnswer } from './failures.js';
import { AnswerGarbled, AnswerTooLarge } from './read-body.js';
import { type PermitLimits, PermitRefused, type Permits } from './permits.js';
import type { ProviderAnswer, ProviderRequest } from './provider-request.js';
import type { Redactor } from './redact.js';
import { type ResetHeader, waitMs } from './wait-times.js';

export interface SendOptions {
  /** What failures say of the call. */
  call: FailedCall;
  /** Where permits are counted. */
  place: { organizationId: string; key: string };
  authentication: Authentication | undefined;
  redactor: Redactor;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  deadline: number;
  timeoutMs: number;
  mostBytes: number;
  limits: PermitLimits;
  retry: { attempts: number; statuses: readonly number[]; resets: readonly ResetHeader[] };
  /** What an answer means where its status does not say: some providers fail with 200. */
  meaning: (answer: ProviderAnswer) => {
    status?: number | undefined;
    message?: string | undefined;
  };
  /** Told of every answer, those of failed attempts too. */
  answered: (url: string, answer: ProviderAnswer) => void;
}

/** What came of one attempt. */
type Attempt =
  | {
      answer: ProviderAnswer;
      hostFailed: boolean;
      status: number;
      retryAfterMs?: number | undefined;
    }
  | { error: unknown; timedOut: boolean; hostFailed: boolean };

const firstBackoffMs = 200;
/** At the same time, of one process; as many as there are connections. */
const callsPerHost = 64;

/** The one way to providers: authenticated, limited, retried where that is safe, never beyond the deadline. */
export class ProviderHttp {
  private readonly circuits = new Circuits();
  private readonly turns = new FairTurns(callsPerHost);

  constructor(
    private readonly parts: {
      dispatcher: Dispatcher;
      policy: EgressPolicy;
      permits: Permits;
      clock: Clock;
      tokens: TokenSource;
    },
  ) {}

  get tokens(): TokenSource {
    return this.parts.tokens;
  }

  /** @throws ApiError for every failure, with the provider's own answer in its context */
  async send(request: ProviderRequest, options: SendOptions): Promise<ProviderAnswer> {
    const outcome = await this.attempts(request, options);
    if ('error' in outcome) {
      if (options.signal.aborted && !outcome.timedOut) throw outcome.error;
      throw failureWithoutAnswer(options.call, outcome.error, outcome.timedOut);
    }
    const { answer, status } = outcome;
    if (isAnswer(request, answer, status)) return answer;
    throw failureOf(options.call, answer, {
      ...options.meaning(answer),
      status,
      retryAfterMs: outcome.retryAfterMs,
    });
  }

  private async attempts(request: ProviderRequest, options: SendOptions): Promise<Attempt> {
    const { clock } = this.parts;
    const again = retry(
      handleWhenResult((result) => {
        const attempt = result as Attempt;
        return (
          this.mayRepeat(request, attempt, options) &&
          clock.now() + this.wait(attempt, 1) < options.deadline
        );
      }),
      {
        maxAttempts: Math.max(0, options.retry.attempts - 1),
        backoff: new DelegateBackoff(({ result, attempt }) =>
          this.wait('value' in result ? (result.value as Attempt) : undefined, attempt),
        ),
      },
    );
    return await again.execute(() => this.guarded(request, options), options.signal);
  }

  /** A circuit that is open answers at once. */
  private async guarded(request: ProviderRequest, options: SendOptions): Promise<Attempt> {
    try {
      return await this.circuits
        .of(request.url.origin)
        .execute(() => this.attempt(request, options), options.signal);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new ApiError(503, `calls to ${request.url.host} are paused: it failed too often`, {
        remediation: `Try again in ${Circuits.pauseSeconds} s.`,
        headers: { 'retry-after': String(Circuits.pauseSeconds) },
        cause: error,
      });
    }
  }

  private async attempt(request: ProviderRequest, options: SendOptions): Promise<Attempt> {
    const release = await this.permit(options);
    const done = await this.turns
      .take(request.url.origin, options.place.organizationId, options.signal)
      .catch((error: unknown) => {
        release();
        throw error;
      });
    const timeoutMs = Math.max(
      1,
      Math.min(options.timeoutMs, options.deadline - this.parts.clock.now()),
    );
    const timer = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([options.signal, timer]);
    try {
      let answer = await this.once(request, options, signal, timeoutMs);
      if (answer.status === 401 && options.authentication?.renews)
        answer = await this.once(request, options, signal, timeoutMs);
      const { resets } = options.retry;
      const status = options.meaning(answer).status ?? answer.status;
      return {
        answer,
        status,
        hostFailed: answer.status >= 500 && answer.status !== 501,
        retryAfterMs: waitMs(answer.headers, resets, this.parts.clock.now()),
      };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const ours = error instanceof AnswerTooLarge || error instanceof AnswerGarbled;
      return {
        error,
        timedOut: timer.aborted || isTimeout(error),
        hostFailed: !ours && !options.signal.aborted,
      };
    } finally {
      done();
      release();
    }
  }

  private async once(
    request: ProviderRequest,
    { authentication, answered, mostBytes }: SendOptions,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<ProviderAnswer> {
    const { dispatcher, policy } = this.parts;
    const sent =
      authentication === undefined ? request : await authentication.apply(request, signal);
    const answer = await exchange(sent, { dispatcher, policy, signal, timeoutMs, mostBytes });
    answered(sent.url.href, answer);
    if (answer.status === 401) authentication?.renew(sent);
    return answer;
  }

  private async permit({
    place,
    limits,
    deadline,
    signal,
    call,
  }: SendOptions): Promise<() => void> {
    try {
      return await this.parts.permits.acquire(place, limits, deadline, signal);
    } catch (error) {
      if (!(error instanceof PermitRefused)) throw error;
      const seconds = Math.max(1, Math.ceil(error.retryAfterMs / 1000));
      throw new ApiError(429, `the limit of calls to ${call.provider} is used up`, {
        remediation: `Try again in ${seconds} s.`,
        headers: { 'retry-after': String(seconds) },
        cause: error,
      });
    }
  }

  /**
   * A refusal for now (429) was not carried out and may come again whatever the method; other failures are repeated only where
   * doing it twice does no harm.
   */
  private mayRepeat(
    request: ProviderRequest,
    attempt: Attempt,
    { retry: { statuses }, signal }: SendOptions,
  ): boolean {
    if (signal.aborted) return false;
    if ('error' in attempt)
      return request.repeatable && attempt.hostFailed && !isRefused(attempt.error);
    if (isAnswer(request, attempt.answer, attempt.status)) return false;
    if (attempt.status === 429) return true;
    return request.repeatable && statuses.includes(attempt.status);
  }

  /** What the provider asks for, else a backoff that doubles, with jitter. */
  private wait(attempt: Attempt | undefined, count: number): number {
    if (attempt !== undefined && 'answer' in attempt && attempt.retryAfterMs !== undefined)
      return attempt.retryAfterMs;
    const most = firstBackoffMs * 2 ** count;
    return most / 2 + randomInt(Math.ceil(most / 2));
  }
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

function isAnswer(request: ProviderRequest, answer: ProviderAnswer, status: number): boolean {
  return isOk(status) || (status === answer.status && request.accept.has(answer.status));
}

function isTimeout(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'UND_ERR_HEADERS_TIMEOUT' ||
    code === 'UND_ERR_BODY_TIMEOUT' ||
    code === 'UND_ERR_CONNECT_TIMEOUT'
  );
}

function isRefused(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'EGRESS_REFUSED';
}
