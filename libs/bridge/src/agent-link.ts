import type { WebSocket } from 'ws';
import { BridgeFailure, readFailure } from './failure.js';
import { MalformedFrame } from './frames.js';
import { maxStreams } from './limits.js';
import { Link } from './link.js';
import { readResponse, type RequestHead, type ResponseHead, writeRequest } from './messages.js';
import { type Body, Stream } from './stream.js';

/** A response of a provider. The body keeps the request open until it is read or left. */
export interface BridgeResponse extends ResponseHead {
  body: AsyncIterable<Uint8Array>;
}

const maxStreamId = 0xffff_ffff;

/** The server's end of a connection that an agent has opened: it sends requests. */
export class AgentLink extends Link {
  private last = 0;

  constructor(socket: WebSocket) {
    super(socket);
  }

  /** True if the agent takes one more request. */
  get isFree(): boolean {
    return this.isOpen && this.requests < maxStreams && this.last < maxStreamId;
  }

  /** @throws BridgeFailure, or the reason of the signal */
  async send(head: RequestHead, body: Body, signal: AbortSignal): Promise<BridgeResponse> {
    signal.throwIfAborted();
    if (!this.isOpen) throw new BridgeFailure('gone', 'the agent has disconnected', false);
    if (!this.isFree)
      throw new BridgeFailure('busy', `the agent has ${maxStreams} requests already`, false);
    this.last += 1;
    const left = new BridgeFailure('unreachable', 'the caller has left', true);
    const stream = new Stream(this.last, this, (one) => one.abort(left));
    this.sendHead(stream.id, writeRequest({ ...head, hasBody: body !== undefined }));
    this.streams.set(stream.id, stream);
    const giveUp = () => stream.abort(signal.reason as Error);
    const over = () => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp, { once: true });
    stream.onFailure = over;
    stream.onReceived = () => {
      over();
      stream.abort(left); // the rest of a request that the provider did not read
    };
    let bodyError: Error | undefined;
    stream.write(body).catch((error: Error) => {
      bodyError = error; // the client's upload failed
      stream.abort(error);
    });
    try {
      const answer = await stream.head;
      if (answer['failure'] === undefined) return { ...readResponse(answer), body: stream.body };
      throw readFailure(answer['failure']);
    } catch (error) {
      stream.abort(left);
      void stream.body.return();
      signal.throwIfAborted();
      throw bodyError ?? error;
    }
  }

  protected begin(id: number): void {
    throw new MalformedFrame(`the request ${id}, and only the server sends requests`);
  }

  protected isPast(id: number): boolean {
    return id !== 0 && id <= this.last;
  }
}
