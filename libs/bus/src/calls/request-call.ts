import { type CallAborts, type Caller, CallNotes, type OperationId, type Upload } from '#contract';
import type { Envelope } from '../bus.js';
import type { Cancellation } from '../cancellation.js';

/** Creates a Call from an envelope. The body is parsed on first use, because some handlers forward the bytes. */
export class RequestCall {
  readonly operation: OperationId;
  readonly caller: Caller | null;
  readonly path: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly meta: readonly string[];
  readonly requestId: string;
  readonly idempotencyKey?: string;
  readonly batchId?: string;
  readonly range?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly deadline: number;
  readonly remoteAddress: string;
  readonly userAgent: string;
  provider?: string;
  readonly notes = new CallNotes();
  readonly responseHeaders: Record<string, string> = {};
  private parsed: { value: unknown } | undefined;

  constructor(
    envelope: Envelope,
    readonly rawBody: Uint8Array,
    private readonly cancels: () => Cancellation,
    readonly upload?: Upload,
  ) {
    this.operation = envelope.operation;
    this.caller = envelope.caller;
    this.path = envelope.path;
    this.query = envelope.query;
    this.meta = envelope.meta;
    this.requestId = envelope.requestId;
    if (envelope.idempotencyKey !== undefined) this.idempotencyKey = envelope.idempotencyKey;
    if (envelope.batchId !== undefined) this.batchId = envelope.batchId;
    if (envelope.range !== undefined) this.range = envelope.range;
    if (envelope.headers !== undefined) this.headers = envelope.headers;
    this.deadline = envelope.deadline;
    this.remoteAddress = envelope.remoteAddress;
    this.userAgent = envelope.userAgent;
  }

  /** CallAborts when the caller disconnects or the deadline passes. Created on first use, because it is expensive and rarely needed. */
  get signal(): AbortSignal {
    return this.cancels().signal;
  }

  get aborts(): CallAborts {
    return this.cancels();
  }

  get body(): unknown {
    this.parsed ??= {
      value:
        this.rawBody.length === 0 ? undefined : JSON.parse(Buffer.from(this.rawBody).toString()),
    };
    return this.parsed.value;
  }
}
