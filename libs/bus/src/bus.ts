import type { Caller, OperationId } from '#contract';
import type { RequestHead, ResponseHead } from '#bridge';
import type { Cancellation } from './cancellation.js';
import type { InternalCalls } from './calls/internal-calls.js';
import type { Events } from './events.js';
import type { Offer } from './transport.js';

/**
 * A request without its body, as the gateway sends it to a service. The gateway sets every field, undefined or not: objects that are put
 * together by spreading others cost several microseconds more to copy and to serialize.
 */
export interface Envelope {
  operation: OperationId;
  /** Null on public operations. */
  caller: Caller | null;
  path: Record<string, string>;
  /** Validated by the gateway and converted to numbers and booleans. */
  query: Record<string, unknown>;
  meta: readonly string[];
  requestId: string;
  /** W3C trace context. */
  traceparent?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Epoch milliseconds. */
  deadline: number;
  /** Identifies a batch of records that may be sent again, for the provider; no response is stored for it. */
  batchId?: string | undefined;
  contentType?: string | undefined;
  /** Size of a streamed body, if the client declares it. */
  contentLength?: number | undefined;
  /** The range of a file that the client asks for, as the header Range. */
  range?: string | undefined;
  /** The headers of a provider's webhook message. */
  headers?: Readonly<Record<string, string>> | undefined;
  remoteAddress: string;
  userAgent: string;
}

export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** A request for an agent of a bridge group. */
export interface BridgeCall {
  head: Omit<RequestHead, 'hasBody'>;
  body: Bytes | undefined;
}

export interface BridgeReply {
  head: ResponseHead;
  body: Bytes;
}

export type BridgeHandler = (call: BridgeCall, cancellation: Cancellation) => Promise<BridgeReply>;

/** An HTTP response, independent of the transport. */
export interface BusReply {
  status: number;
  headers: Record<string, string>;
  body: Bytes | undefined;
}

export interface CallOptions {
  requestId?: string;
  /** Epoch milliseconds; 10 s from now by default. */
  deadline?: number;
  signal?: AbortSignal;
  /** The domain whose connectors are asked, where others lack its key; any connector without it. */
  domain?: string | undefined;
}

/**
 * Communication between processes, over NATS or within one process, with the same behaviour: both serialize messages.
 * A subject without a server fails immediately with ApiError 503, a passed deadline with 504; a cancellation stops the work.
 */
export abstract class Bus {
  /** Sends a request of the API to the service that owns its subject. */
  abstract request(
    subject: string,
    envelope: Envelope,
    body: Bytes | undefined,
    cancellation: Cancellation,
  ): Promise<BusReply>;

  /** Calls another service; rethrows its ApiError. */
  abstract call<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    options?: CallOptions,
  ): Promise<InternalCalls[Name]['output']>;

  /**
   * Calls every process that serves a call, and waits until all have answered.
   * @throws what {@link call} throws, if one of them fails
   */
  abstract callAll<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    options?: CallOptions,
  ): Promise<InternalCalls[Name]['output'][]>;

  /**
   * Sends an HTTP request to an agent of a bridge group, by the gateway that it is connected to.
   * @throws BridgeFailure, or the reason of the cancellation
   */
  abstract callBridge(
    bridgeId: string,
    request: BridgeCall,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<BridgeReply>;

  /** Serves the requests for a bridge group, by one of the processes that do. */
  abstract serveBridge(bridgeId: string, handler: BridgeHandler): Offer;

  /** Sends an event to every process, at most once and without waiting. */
  abstract publish<Name extends keyof Events>(event: Name, payload: Events[Name]): void;

  /** Subscribes to an event of any process. @returns a function that unsubscribes */
  abstract subscribe<Name extends keyof Events>(
    event: Name,
    handler: (payload: Events[Name]) => void,
  ): () => void;

  /** Called after a reconnection, when caches that depend on events may be stale. */
  abstract onReconnect(handler: () => void): () => void;

  /** True while messages can be sent. */
  abstract get isConnected(): boolean;
}
