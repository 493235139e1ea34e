import type { OperationId, OperationTypes } from './operations.js';
import type { Caller } from './permissions.js';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Success<T> = T extends { responses: { 200: infer Answer } }
  ? Json<Answer>
  : T extends { responses: { 204: unknown } }
    ? undefined
    : unknown;

export type Path<Id extends OperationId> = OperationTypes[Id] extends {
  parameters: { path: infer P };
}
  ? P
  : Record<string, never>;
export type Query<Id extends OperationId> = OperationTypes[Id] extends {
  parameters: { query?: infer Q };
}
  ? NonNullable<Q>
  : Record<string, never>;
export type Body<Id extends OperationId> = OperationTypes[Id] extends { requestBody: infer B }
  ? Json<B>
  : OperationTypes[Id] extends { requestBody?: infer B }
    ? Json<NonNullable<B>> | undefined
    : undefined;
/** The success body of an operation. */
export type Result<Id extends OperationId> = Success<OperationTypes[Id]>;

/** The part of an AbortSignal that most work needs; every AbortSignal is one. */
export interface CallAborts {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** The signal itself, where it is not one. */
  readonly signal?: AbortSignal;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A request to a provider, or an attempt of one, that a call made. */
export interface NotedExchange {
  method: string;
  url: URL;
  /** Absent if the provider did not answer. */
  status?: number | undefined;
  durationMs: number;
  /** The size of the answer; absent if it is passed on as it arrives. */
  bytes?: number | undefined;
  /** Removes the secrets of the call from a text. */
  shown: (text: string) => string;
}

/** Maximum number of exchanges that are noted of one call. */
const maxNotedExchanges = 50;

/** Keeps the bodies of a call, where somebody has switched that on. */
export interface CallRecording {
  /** Number of characters that it holds. */
  readonly size: number;
  /** Adds the bodies of the call itself at its end. @param answer absent if there is none, or it is a stream */
  finish(call: Pick<Call, 'path' | 'query' | 'rawBody'>, answer: Uint8Array | undefined): void;
  /** Returns what it has, without secrets, sealed for the account. */
  seal(): string;
}

/** Facts that a connector notes of a call while it runs it, for the request log. */
export class CallNotes {
  readonly exchanges: NotedExchange[] = [];
  omittedExchanges = 0;
  /** The type of the provider. */
  provider?: string;
  /** The mappings that the operation's records pass. */
  mappings: readonly { reference: string }[] = [];
  /** Absent unless the bodies of the integration are recorded. */
  recording?: CallRecording;

  add(exchange: NotedExchange): void {
    if (this.exchanges.length < maxNotedExchanges) this.exchanges.push(exchange);
    else this.omittedExchanges += 1;
  }
}

/** The input of a handler: the validated parts of a request, its caller and its deadline. */
export interface Call<Id extends OperationId = OperationId> {
  operation: Id;
  /** Null only on public operations. */
  caller: Caller;
  path: Path<Id>;
  query: Query<Id>;
  /** The parsed body; undefined where the request had none. */
  body: Body<Id>;
  /** The unparsed body, for readers that must keep all digits of numbers; empty for an upload. */
  rawBody: Uint8Array;
  /** The body of an operation that accepts a file (`request: 'multipart'`). It can be read once, with backpressure. */
  upload?: Upload;
  /** Meta function calls, from query and body. */
  meta: readonly string[];
  requestId: string;
  idempotencyKey?: string;
  /** Identifies a batch of records that may be sent again, for providers that can tell repeated ones. */
  batchId?: string;
  /** The header Range, where the response is a file and the header asks for one range. */
  range?: string | undefined;
  /** The headers of a provider's webhook message, in lower case; absent on other operations. */
  headers?: Readonly<Record<string, string>>;
  /** Gets headers of the response, in lower case, from its handler: those of the provider's budget. */
  readonly responseHeaders?: Record<string, string>;
  /** The type of the provider that it was made of, once a connector knows: for the log. */
  provider?: string;
  /** Absent where no request log is written. */
  notes?: CallNotes;
  /** Epoch milliseconds. */
  deadline: number;
  /** CallAborts when the deadline passes or the client hangs up. */
  signal: AbortSignal;
  /** The same without an AbortSignal, for those who need no real one: making it and listening to it costs a call several microseconds. */
  aborts?: CallAborts;
  remoteAddress: string;
  userAgent: string;
}

/** The body of a request that uploads a file, as a stream. */
export interface Upload {
  /** The content type of the request. */
  contentType: string;
  /** The size of the whole body in bytes, if the client declares it. */
  length?: number;
  body: AsyncIterable<Uint8Array>;
}

/** A response that is not JSON: bytes, or a stream of bytes. */
export class StreamReply {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: AsyncIterable<Uint8Array> | Uint8Array,
  ) {}
}

/** The return value of a handler: the success body, or bytes. */
export type Reply<Id extends OperationId> = Result<Id> | StreamReply;
