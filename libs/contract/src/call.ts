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

/** What a handler gets: the validated parts of a request, who calls, and how long it may take. */
export interface Call<Id extends OperationId = OperationId> {
  operation: Id;
  /** Null only on public operations. */
  caller: Caller;
  path: Path<Id>;
  query: Query<Id>;
  /** The parsed body; undefined where the request had none. */
  body: Body<Id>;
  /** The bytes as they came, for readers that must not lose digits; empty where the body is an upload. */
  rawBody: Uint8Array;
  /** The body of an operation that takes a file (`request: 'multipart'`): read once, no faster than its reader does. */
  upload?: Upload;
  /** Meta function calls, from query and body. */
  meta: readonly string[];
  requestId: string;
  idempotencyKey?: string;
  /** Epoch milliseconds. */
  deadline: number;
  /** Aborts when the deadline passes or the client hangs up. */
  signal: AbortSignal;
  remoteAddress: string;
  userAgent: string;
}

/** The body of a request that brings a file, as it comes. */
export interface Upload {
  /** Of the request. */
  contentType: string;
  /** Bytes of the whole body, where the client says so beforehand. */
  length?: number;
  body: AsyncIterable<Uint8Array>;
}

/** An answer that is not the operation's usual JSON: bytes, or a stream of them. */
export class StreamReply {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: AsyncIterable<Uint8Array> | Uint8Array,
  ) {}
}

/** What a handler returns: the success body, or bytes. */
export type Reply<Id extends OperationId> = Result<Id> | StreamReply;
