// The two adapters implement this; everything else of the bus is written once, on top of it.
import type { Cancellation } from './cancellation.js';

/** What a process serves under a subject. */
export type FrameHandler = (frame: Incoming) => Promise<Outgoing>;

export interface Incoming {
  head: string;
  body: AsyncIterable<Uint8Array> | Uint8Array | undefined;
  cancellation: Cancellation;
}

export interface Outgoing {
  head: string;
  body: AsyncIterable<Uint8Array> | Uint8Array | undefined;
}

/** Nobody serves the subject. */
export class NoResponders extends Error {}
/** The connection broke while a call was on its way; whether it was carried out is not known. */
export class ConnectionLost extends Error {}
/** The process that a call or stream was with has ended; whether the call was carried out is not known. */
export class ProcessGone extends Error {
  constructor() {
    super('the process at the other end has ended');
  }
}
/** The deadline passed before an answer came. */
export class DeadlinePassed extends Error {}

/** Moves heads (JSON) and bodies (bytes). They arrive as they were sent, in order; large bodies as streams with back-pressure. */
export interface Transport {
  /** Calls to a subject go to one of the processes that serve it. */
  serve(subject: string, handler: FrameHandler): void;
  /** Resolves when calls from anywhere reach what is served so far. */
  served(): Promise<void>;
  /** @throws NoResponders, ProcessGone, ConnectionLost, DeadlinePassed, or the reason of the cancellation. */
  request(
    subject: string,
    message: Outgoing,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<Outgoing>;
  publish(subject: string, payload: Uint8Array): void;
  subscribe(subject: string, handler: (payload: Uint8Array) => void): () => void;
  onReconnect(handler: () => void): () => void;
  readonly isConnected: boolean;
  /** @throws Error that says what keeps this process from sending or hearing messages */
  checkReady(): void;
  /** Takes no new requests, lets those in flight finish, disconnects. */
  close(): Promise<void>;
}
