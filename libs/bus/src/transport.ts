// Both transports implement this interface; the rest of the bus is built on it.
import type { Cancellation } from './cancellation.js';

/** The handler of a subject. */
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

/** A message whose body is not a stream. */
export interface WholeMessage {
  head: string;
  body: Uint8Array | undefined;
}

/** A call that was not answered. */
class Unanswered extends Error {
  constructor(readonly subject: string) {
    super(subject);
  }
}

/** No process serves the subject. */
export class NoResponders extends Unanswered {}
/** There is no connection to the bus, and has been none for a moment. The call was not sent. */
export class BusUnreachable extends Unanswered {}
/** The connection was lost during a call, which may or may not have been carried out. */
export class ConnectionLost extends Error {}
/** The process of a call or stream has ended. The call may or may not have been carried out. */
export class ProcessGone extends Error {
  constructor() {
    super('the process at the other end has ended');
  }
}
/** The deadline passed before a response arrived. */
export class DeadlinePassed extends Unanswered {}

/** A subject that this process serves for a while. */
export interface Offer {
  /** Sets how many of the calls it gets beside other processes: one with a share of 2 gets twice as many as one with 1. */
  setShare(share: number): void;
  stop(): void;
}

export interface RequestOptions {
  deadline: number;
  cancellation: Cancellation;
  /** True for a call that the caller sends again after ProcessGone or ConnectionLost. */
  isRepeatable?: boolean;
}

/** Transports heads (JSON) and bodies (bytes), unchanged and in order; large bodies as streams with backpressure. */
export interface Transport {
  /** Serves a subject. Each call goes to one of the processes that serve it. */
  serve(subject: string, handler: FrameHandler): void;
  /** Serves a subject that comes and goes; other processes hear of it at once. */
  offer(subject: string, handler: FrameHandler): Offer;
  /** Resolves when all processes can call the served subjects. */
  served(): Promise<void>;
  /** @throws NoResponders, BusUnreachable, ProcessGone, ConnectionLost, DeadlinePassed, or the reason of the cancellation */
  request(subject: string, message: Outgoing, options: RequestOptions): Promise<Outgoing>;
  /**
   * Sends a request to every process that serves a subject, and waits for all answers. A process that has ended or stops needs not answer.
   * @throws what {@link request} throws, but NoResponders
   */
  requestAll(subject: string, message: WholeMessage, options: RequestOptions): Promise<Outgoing[]>;
  publish(subject: string, payload: Uint8Array): void;
  subscribe(subject: string, handler: (payload: Uint8Array) => void): () => void;
  onReconnect(handler: () => void): () => void;
  readonly isConnected: boolean;
  /** @throws Error that says why this process cannot send or receive messages */
  checkReady(): void;
  /** Refuses new requests, lets those in flight finish, and disconnects. */
  close(): Promise<void>;
}
