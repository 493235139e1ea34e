import { FrameKind } from './frames.js';
import { IncomingBody } from './incoming-body.js';
import { maxDataBytes, windowBytes } from './limits.js';

export type Body = Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** The part of a connection that its streams use. */
export interface StreamOwner {
  sendFrame(kind: FrameKind, stream: number, content?: Uint8Array): void;
  grant(stream: number, bytes: number): void;
  reset(stream: number, reason: string): void;
  /** Counts bytes that wait for a reader in addition, or no longer. */
  hold(bytes: number): void;
  /** Resolves when the socket takes more. */
  ready(): Promise<void>;
  forget(stream: number): void;
}

/** One request with its response. Each direction has a head and a body, whose sender waits for credit of its reader. */
export class Stream {
  readonly body: IncomingBody;
  /** Resolves with the head of the peer. Rejects if the stream ends before. */
  readonly head: Promise<Record<string, unknown>>;
  private readonly headCame: (head: Record<string, unknown>) => void;
  private readonly headFailed: (error: Error) => void;
  /** Called when the stream ends early. */
  onFailure: (error: Error) => void = () => undefined;
  /** Called when the peer has sent everything. */
  onReceived: () => void = () => undefined;
  private hasHead = false;
  private credit = windowBytes;
  private wake: (() => void) | undefined;
  private error: Error | undefined;
  private isSent = false;
  private isReceived = false;

  /** @param leave called when the reader of the body stops before its end */
  constructor(
    readonly id: number,
    private readonly owner: StreamOwner,
    leave: (stream: Stream) => void,
  ) {
    this.body = new IncomingBody(
      (bytes) => this.owner.grant(id, bytes),
      () => leave(this),
      (bytes) => this.owner.hold(bytes),
    );
    let settle: [typeof this.headCame, typeof this.headFailed] | undefined;
    this.head = new Promise((resolve, reject) => (settle = [resolve, reject]));
    this.head.catch(() => undefined); // whoever waits hears of it
    [this.headCame, this.headFailed] = settle as unknown as [
      typeof this.headCame,
      typeof this.headFailed,
    ];
  }

  /** True when neither side sends any more. */
  get isOver(): boolean {
    return this.error !== undefined || (this.isSent && this.isReceived);
  }

  /** Sends the body, no faster than the peer reads it, then its end. Returns early when the stream has ended. */
  async write(body: Body): Promise<void> {
    if (body instanceof Uint8Array) await this.writeChunk(body);
    else if (body !== undefined)
      for await (const chunk of body) {
        await this.writeChunk(chunk);
        if (this.error !== undefined) return;
      }
    if (this.error !== undefined) return;
    this.owner.sendFrame(FrameKind.end, this.id);
    this.isSent = true;
    this.settle();
  }

  /** Ends the stream early, and tells the peer. */
  abort(error: Error): void {
    if (this.isOver) return;
    this.owner.reset(this.id, error.message);
    this.fail(error);
  }

  /** The stream has ended early, at the peer or with the connection. */
  fail(error: Error): void {
    if (this.isOver) return;
    this.error = error;
    this.headFailed(error);
    this.body.fail(error);
    this.wake?.();
    this.owner.forget(this.id);
    this.onFailure(error);
  }

  /** @returns false for a second head */
  receiveHead(head: Record<string, unknown>): boolean {
    if (this.hasHead) return false;
    this.hasHead = true;
    this.headCame(head);
    return true;
  }

  /** @returns false if the peer has sent more than it may, anything after the end, or nothing, of which it may send any number */
  receiveData(chunk: Uint8Array): boolean {
    return this.hasHead && !this.isReceived && chunk.length > 0 && this.body.push(chunk);
  }

  receiveEnd(): boolean {
    if (!this.hasHead || this.isReceived) return false;
    this.isReceived = true;
    this.body.complete();
    this.settle();
    this.onReceived();
    return true;
  }

  /** @returns false if the peer gives more credit than a window */
  receiveCredit(bytes: number): boolean {
    this.credit += bytes;
    this.wake?.();
    return this.credit <= windowBytes;
  }

  private async writeChunk(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length && this.error === undefined;) {
      await this.owner.ready();
      while (this.credit === 0 && this.error === undefined)
        await new Promise<void>((resolve) => (this.wake = resolve));
      if (this.error !== undefined) return;
      const bytes = Math.min(maxDataBytes, this.credit, chunk.length - at);
      this.credit -= bytes;
      this.owner.sendFrame(FrameKind.data, this.id, chunk.subarray(at, at + bytes));
      at += bytes;
    }
  }

  private settle(): void {
    if (this.isSent && this.isReceived) this.owner.forget(this.id);
  }
}
