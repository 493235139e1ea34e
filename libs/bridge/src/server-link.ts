import type { WebSocket } from 'ws';
import { BridgeFailure, writeFailure } from './failure.js';
import { MalformedFrame } from './frames.js';
import { maxStreams } from './limits.js';
import { Link } from './link.js';
import { passedHeaders, readRequest, type RequestHead, type ResponseHead } from './messages.js';
import { type Body, Stream } from './stream.js';

export interface AgentRequest extends RequestHead {
  /** Undefined if the request has none. */
  body: AsyncIterable<Uint8Array> | undefined;
  /** Aborts when the server gives up or the connection ends. */
  signal: AbortSignal;
}

export interface AgentResponse extends ResponseHead {
  body: Body;
}

/** Answers a request. @throws BridgeFailure */
export type HandleRequest = (request: AgentRequest) => Promise<AgentResponse>;

/** The agent's end of its connection: it answers requests. */
export class ServerLink extends Link {
  private last = 0;

  /** @param onRefused called for each request beyond the limit */
  constructor(
    socket: WebSocket,
    private readonly handle: HandleRequest,
    private readonly onRefused: () => void = () => undefined,
  ) {
    super(socket);
  }

  protected begin(id: number, head: Record<string, unknown>): void {
    if (id === 0) throw new MalformedFrame('a request without a number');
    this.last = id;
    if (this.requests >= maxStreams) {
      this.onRefused();
      const busy = new BridgeFailure('busy', `${maxStreams} requests are under way`, false);
      this.sendHead(id, { failure: writeFailure(busy) });
      return;
    }
    // The rest of a body that the provider did not want is dropped as it comes.
    const stream = new Stream(id, this, () => undefined);
    stream.receiveHead(head);
    this.streams.set(id, stream);
    void this.answer(stream, head);
  }

  protected isPast(id: number): boolean {
    return id !== 0 && id <= this.last;
  }

  private async answer(stream: Stream, head: Record<string, unknown>): Promise<void> {
    const abort = new AbortController();
    stream.onFailure = (error) => abort.abort(error);
    let hasAnswered = false;
    try {
      const request = readRequest(head);
      const { status, headers, body } = await this.handle({
        ...request,
        body: request.hasBody ? stream.body : undefined,
        signal: abort.signal,
      });
      this.sendHead(stream.id, { status, headers: passedHeaders(headers) });
      hasAnswered = true;
      await stream.write(body);
    } catch (error) {
      const failure =
        error instanceof BridgeFailure
          ? error
          : new BridgeFailure('unreachable', String((error as Error).message), true);
      if (!hasAnswered && !stream.isOver)
        this.sendHead(stream.id, { failure: writeFailure(failure) });
      stream.abort(failure);
    } finally {
      void stream.body.return();
    }
  }
}
