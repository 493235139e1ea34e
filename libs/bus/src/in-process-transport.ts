import {
  DeadlinePassed,
  type FrameHandler,
  NoResponders,
  type Outgoing,
  type Transport,
} from './transport.js';

/** One process that is all services: handlers are called, but only bytes pass. */
export class InProcessTransport implements Transport {
  private readonly handlers = new Map<string, FrameHandler[]>();
  private readonly listeners = new Map<string, Set<(payload: Uint8Array) => void>>();
  private readonly running = new Set<Promise<unknown>>();
  private next = 0;
  readonly isConnected = true;

  serve(subject: string, _queue: string, handler: FrameHandler): void {
    const known = this.handlers.get(subject) ?? [];
    this.handlers.set(subject, [...known, handler]);
  }

  async served(): Promise<void> {
    // what is served can be called at once
  }

  async request(
    subject: string,
    { head, body }: Outgoing,
    { deadline, signal }: { deadline: number; signal: AbortSignal },
  ): Promise<Outgoing> {
    const handlers = this.handlers.get(subject);
    const handler = handlers?.[this.next++ % handlers.length];
    if (handler === undefined) throw new NoResponders(subject);
    signal.throwIfAborted();
    const stop = new AbortController();
    const work = handler({ head, body, signal: stop.signal });
    this.running.add(work);
    const forget = () => this.running.delete(work);
    work.then(forget, forget);
    return await new Promise<Outgoing>((settle, fail) => {
      const end = (error: unknown) => {
        stop.abort(error);
        fail(error);
      };
      const aborted = () => end(signal.reason);
      const timer = setTimeout(
        () => end(new DeadlinePassed(subject)),
        Math.max(0, deadline - Date.now()),
      );
      signal.addEventListener('abort', aborted, { once: true });
      work.then(settle, fail).finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', aborted);
        // A stream goes on after the answer has begun, and ends when its reader does.
        signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
      });
    });
  }

  publish(subject: string, payload: Uint8Array): void {
    for (const listener of this.listeners.get(subject) ?? []) setImmediate(listener, payload);
  }

  subscribe(subject: string, handler: (payload: Uint8Array) => void): () => void {
    const known = this.listeners.get(subject) ?? new Set();
    this.listeners.set(subject, known.add(handler));
    return () => known.delete(handler);
  }

  onReconnect(): () => void {
    return () => undefined; // it is never lost
  }

  async close(): Promise<void> {
    this.handlers.clear();
    await Promise.allSettled(this.running);
  }
}
