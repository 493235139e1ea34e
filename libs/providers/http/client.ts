import { gzipSync } from 'node:zlib';
import { ApiError } from '#contract';
import { formatJson, type Value } from '@onefold/mapping';
import type { ClientCall, ClientFunction } from '#provider-document';

/** Limits of one request. An event that is larger is sent by itself. */
const maxBatchEvents = 1_000;
const maxBatchBytes = 1_048_576;

interface Settings {
  url: string;
  http_method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | null;
  request_body_format?: 'json_array' | 'jsonl' | null;
  accepted_response_codes?: number[] | null;
  static_headers?: Record<string, string> | null;
  timeout_seconds?: number | null;
}

/** Outcome of one event. */
interface Result extends Record<string, Value> {
  stored: boolean;
  status: number;
  message: string | null;
}

/** Sends the events that are its body, in requests of limited size. Returns what became of each. */
export const post: ClientFunction = async (call) => {
  const events = (call.input as Value[]).map((event) => formatJson(event));
  const delivery = new Delivery(call);
  for (const batch of batchesOf(events)) await delivery.send(batch);
  return delivery.results();
};

/** Sends batches in order, until one fails in a way that the next would fail in as well. */
class Delivery {
  private readonly settings: Settings;
  private readonly url: string;
  private readonly sent: Result[] = [];
  /** Requests that were sent, also those that failed. */
  private requests = 0;
  /** The first request that failed. */
  private failure: ApiError | undefined;
  private isOver = false;

  constructor(private readonly call: ClientCall) {
    this.settings = call.context['config'] as Settings;
    const { location } = call.context['query'] as { location?: string | null };
    this.url = addressOf(this.settings.url, location ?? '');
  }

  async send(batch: readonly string[]): Promise<void> {
    if (this.isOver) {
      const { status = 503, message = '' } = this.failure ?? {};
      this.note(batch, { stored: false, status, message: `not sent: ${message}` });
      return;
    }
    try {
      const status = await this.request(batch);
      this.note(batch, { stored: true, status, message: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const status = statusOf(error);
      if (status === 413 && batch.length > 1) {
        const half = batch.length >> 1;
        await this.send(batch.slice(0, half));
        await this.send(batch.slice(half));
        return;
      }
      this.failure ??= error;
      this.isOver = ![400, 409, 413, 422].includes(status);
      this.note(batch, { stored: false, status, message: error.message });
    }
  }

  /** @throws ApiError of the first failure if no event was stored */
  results(): Result[] {
    if (this.failure !== undefined && !this.sent.some(({ stored }) => stored)) throw this.failure;
    return this.sent;
  }

  private async request(batch: readonly string[]): Promise<number> {
    const { http_method, request_body_format, accepted_response_codes, timeout_seconds } =
      this.settings;
    const isLines = request_body_format === 'jsonl';
    const text = isLines ? batch.map((line) => `${line}\n`).join('') : `[${batch.join(',')}]`;
    const headers = lowerCased(this.settings.static_headers ?? {});
    const isCompressed = headers['content-encoding'] === 'gzip';
    const { batchId } = this.call;
    this.requests += 1;
    const { status } = await this.call.send({
      url: this.url,
      method: http_method ?? 'POST',
      answer: 'none',
      encoding: 'binary',
      body: isCompressed ? gzipSync(text) : Buffer.from(text),
      headers: {
        'content-type': isLines ? 'application/x-ndjson' : 'application/json',
        ...(batchId === undefined ? {} : { 'idempotency-key': keyOf(batchId, this.requests) }),
        ...headers,
      },
      accept: accepted_response_codes ?? [],
      // HTTP calls GET safe, but one with events stores them.
      repeatable: http_method === 'PUT',
      ...(timeout_seconds ? { timeout: timeout_seconds } : {}),
    });
    return status;
  }

  private note(batch: readonly string[], result: Result): void {
    for (const _ of batch) this.sent.push(result);
  }
}

/** The key of a request; the same events are cut into the same requests, so each has the same key when it comes again. */
function keyOf(batchId: string, request: number): string {
  return request === 1 ? batchId : `${batchId}.${request}`;
}

function* batchesOf(events: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let size = 0;
  for (const event of events) {
    const bytes = Buffer.byteLength(event) + 1;
    if (batch.length > 0 && (batch.length === maxBatchEvents || size + bytes > maxBatchBytes)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(event);
    size += bytes;
  }
  if (batch.length > 0) yield batch;
}

/** Appends a location to the path of an address. */
function addressOf(address: string, location: string): string {
  const segments = location.split('/').filter((segment) => segment !== '');
  if (segments.length === 0) return address;
  const url = new URL(address);
  const path = segments.map(encodeURIComponent).join('/');
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  return url.href;
}

/** The status of the endpoint's response; that of the error where there was none. */
function statusOf({ status, options }: ApiError): number {
  return Number(options.context?.provider_details?.['status'] ?? status);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
