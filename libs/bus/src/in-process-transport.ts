import { Logger } from '@nestjs/common';
import { Cancellation } from './cancellation.js';
import {
  DeadlinePassed,
  type FrameHandler,
  NoResponders,
  type Offer,
  type Outgoing,
  type Transport,
  type WholeMessage,
} from './transport.js';

const log = new Logger('bus');

/** Transport within one process: calls handlers directly, but passes serialized heads and bodies only. */
export class InProcessTransport implements Transport {
  private readonly handlers = new Map<string, FrameHandler[]>();
  private readonly listeners = new Map<string, Set<(payload: Uint8Array) => void>>();
  private readonly running = new Set<Promise<unknown>>();
  private next = 0;
  readonly isConnected = true;

  serve(subject: string, handler: FrameHandler): void {
    const known = this.handlers.get(subject) ?? [];
    this.handlers.set(subject, [...known, handler]);
  }

  offer(subject: string, handler: FrameHandler): Offer {
    this.handlers.set(subject, [handler]);
    return {
      setShare: () => undefined, // there is no other process
      stop: () => {
        if (this.handlers.get(subject)?.[0] === handler) this.handlers.delete(subject);
      },
    };
  }

  async served(): Promise<void> {
    // served subjects can be called immediately
  }

  async request(
    subject: string,
    message: Outgoing,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<Outgoing> {
    const handlers = this.handlers.get(subject);
    const handler = handlers?.[this.next++ % handlers.length];
    if (handler === undefined) throw new NoResponders(subject);
    return await this.run(handler, subject, message, options);
  }

  private async run(
    handler: FrameHandler,
    subject: string,
    { head, body }: Outgoing,
    { deadline, cancellation }: { deadline: number; cancellation: Cancellation },
  ): Promise<Outgoing> {
    cancellation.throwIfCancelled();
    const theirs = new Cancellation();
    const work = handler({ head, body, cancellation: theirs });
    this.running.add(work);
    return await new Promise<Outgoing>((settle, fail) => {
      const end = (reason: Error) => {
        theirs.cancel(reason);
        fail(reason);
      };
      const timer = setTimeout(
        () => end(new DeadlinePassed(subject)),
        Math.max(0, deadline - Date.now()),
      );
      // Also after the response has started: a stream continues, and ends with its reader.
      cancellation.onCancel(end);
      const ended = () => {
        clearTimeout(timer);
        this.running.delete(work);
      };
      work.then(
        (answer) => {
          ended();
          settle(answer);
        },
        (error: unknown) => {
          ended();
          fail(error);
        },
      );
    });
  }

  async requestAll(
    subject: string,
    message: WholeMessage,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<Outgoing[]> {
    const handlers = this.handlers.get(subject) ?? [];
    return await Promise.all(
      handlers.map((handler) => this.run(handler, subject, message, options)),
    );
  }

  publish(subject: string, payload: Uint8Array): void {
    for (const listener of this.listeners.get(subject) ?? [])
      setImmediate(() => {
        try {
          listener(payload);
        } catch (error) {
          log.error({ message: 'event handler failed', subject, error: String(error) });
        }
      });
  }

  subscribe(subject: string, handler: (payload: Uint8Array) => void): () => void {
    const known = this.listeners.get(subject) ?? new Set();
    this.listeners.set(subject, known.add(handler));
    return () => known.delete(handler);
  }

  onReconnect(): () => void {
    return () => undefined; // this connection is never lost
  }

  checkReady(): void {
    // this connection always exists
  }

  async close(): Promise<void> {
    this.handlers.clear();
    await Promise.allSettled(this.running);
  }
}
