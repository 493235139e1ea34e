import type { Caller, OperationId } from '#contract';
import type { Cancellation } from './cancellation.js';
import type { InternalCalls } from './internal-calls.js';
import type { Events } from './events.js';

/** Everything about a request but its body: what the gateway tells a service. */
export interface Envelope {
  operation: OperationId;
  /** Null on public operations. */
  caller: Caller | null;
  path: Record<string, string>;
  /** Validated by the gateway, numbers and booleans as such. */
  query: Record<string, unknown>;
  meta: readonly string[];
  requestId: string;
  /** W3C trace context. */
  traceparent?: string;
  idempotencyKey?: string;
  /** Epoch milliseconds. */
  deadline: number;
  contentType?: string;
  /** Of a body that comes as a stream, where the client says so. */
  contentLength?: number;
  remoteAddress: string;
  userAgent: string;
}

export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** An HTTP answer in all but its transport. */
export interface BusReply {
  status: number;
  headers: Record<string, string>;
  body: Bytes | undefined;
}

export interface CallOptions {
  requestId?: string;
  /** Epoch milliseconds; 10 s from now unless told. */
  deadline?: number;
  signal?: AbortSignal;
}

/**
 * How the processes talk. Over NATS or inside one process, with the same behaviour: what is sent is serialized in both.
 * A subject nobody serves is an ApiError 503 at once, a passed deadline 504; a cancellation ends the work.
 */
export abstract class Bus {
  /** Sends a request of the API to the service that owns its subject. */
  abstract request(
    subject: string,
    envelope: Envelope,
    body: Bytes | undefined,
    cancellation: Cancellation,
  ): Promise<BusReply>;

  /** Calls another service; throws the ApiError it threw. */
  abstract call<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    options?: CallOptions,
  ): Promise<InternalCalls[Name]['output']>;

  /** Tells every process, at most once and without waiting. */
  abstract publish<Name extends keyof Events>(event: Name, payload: Events[Name]): void;

  /** Hears what any process publishes. @returns how to stop listening. */
  abstract subscribe<Name extends keyof Events>(
    event: Name,
    handler: (payload: Events[Name]) => void,
  ): () => void;

  /** Runs after a connection was lost and is back: caches that follow events are stale then. */
  abstract onReconnect(handler: () => void): () => void;

  /** True while messages can be sent. */
  abstract get isConnected(): boolean;
}
