import { ApiError, type ManagementSchemas } from '#contract';
import type { AnswerOffline, OfflineAnswer, Redactor } from '#provider-http';
import { keepText, maxBody, showText } from './recorded-text.js';

type RecordedExchange = ManagementSchemas['RecordedExchange'];
type ReplayedExchange = ManagementSchemas['ReplayedExchange'];

/** Maximum number of requests of a replay that are returned. */
const maxRequests = 100;
const maxUrl = 500;

/** Headers about the coding of a body, which is decoded by now. */
const codingHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** Answers the requests of a replay with what was recorded, in its order where a request was sent more than once. */
export class RecordedAnswers {
  /** The requests that were sent. */
  readonly requests: ReplayedExchange[] = [];
  /** Why a request could not be answered, of the first one: the run may have gone on without it. */
  failure: ApiError | undefined;
  /** Exchanges that are still to come, by their requests. The last of each request stays. */
  private readonly waiting = new Map<string, RecordedExchange[]>();
  /** The secrets of the replay, once the run that knows them has begun. */
  redactor: Pick<Redactor, 'text'> = { text: (text) => text };

  constructor(
    exchanges: readonly RecordedExchange[],
    private readonly omitted: number,
  ) {
    for (const exchange of exchanges) {
      const key = keyOf(exchange.method, exchange.url);
      const same = this.waiting.get(key);
      if (same === undefined) this.waiting.set(key, [exchange]);
      else same.push(exchange);
    }
    for (const same of this.waiting.values()) same.reverse();
  }

  readonly answer: AnswerOffline = ({ method, url: whole, body }) => {
    const hide = (text: string) => this.redactor.text(text);
    const url = hide(whole);
    if (this.requests.length < maxRequests)
      this.requests.push({
        method,
        url,
        ...(body?.length
          ? { body: showText(keepText(Buffer.from(body).toString(), maxBody), hide) }
          : {}),
      });
    try {
      return this.find(method, url);
    } catch (error) {
      if (error instanceof ApiError) this.failure ??= error;
      throw error;
    }
  };

  private find(method: string, url: string): OfflineAnswer | undefined {
    const same = this.waiting.get(keyOf(method, url)) ?? [];
    const found = same.length > 1 ? same.pop() : same[0];
    const named = `${method} ${url.slice(0, maxUrl)}`;
    if (found === undefined)
      throw notReplayed(
        `${named} was not recorded`,
        this.omitted > 0
          ? `${this.omitted} requests of the call were left out.`
          : 'Only requests that the recorded call sent can be replayed: leave out what sends another one, or record another call.',
      );
    const { status, response, response_headers: headers } = found;
    if (status === undefined || status === null) return undefined;
    if (response === undefined || response === null || response.omitted > 0)
      throw notReplayed(
        `the answer to ${named} was not recorded whole`,
        `At most ${maxBody} characters of a text are recorded, and no files: record a call that reads less, such as a smaller page.`,
      );
    return { status, headers: headersOf(headers), text: response.text };
  }
}

/** Creates the error for a call that cannot be replayed. */
export function notReplayed(why: string, remediation: string): ApiError {
  return new ApiError(409, why, { kind: 'not-replayable', remediation });
}

/** Names a request. Parameters that are a secret are left out: a replay may have another one, or none. */
function keyOf(method: string, text: string): string {
  const url = URL.parse(text);
  if (url === null) return `${method} ${text}`;
  for (const [name, value] of [...url.searchParams])
    if (value.includes('[secret]')) url.searchParams.delete(name);
  return `${method} ${url.origin}${url.pathname}?${url.searchParams.toString()}`;
}

/** The headers of an answer whose text is sent as UTF-8. */
function headersOf(recorded: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(recorded).filter(([name]) => !codingHeaders.has(name));
  const headers = Object.fromEntries(kept);
  const type = headers['content-type']?.replace(/;\s*charset=[^;]*/i, '');
  if (type !== undefined) headers['content-type'] = `${type}; charset=utf-8`;
  return headers;
}
