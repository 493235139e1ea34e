import {
  connect,
  createInbox,
  type ConnectionOptions,
  errors,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { decodeFrame, encodeFrame } from './frame.js';
import { receiveStream, StreamSender } from './nats-streams.js';
import {
  ConnectionLost,
  DeadlinePassed,
  type FrameHandler,
  NoResponders,
  type Outgoing,
  type Transport,
} from './transport.js';

interface Wire {
  /** Base64 would copy: the inner head follows as bytes, this is its length. */
  head: number;
  /** Set when the body comes as a stream: the subject at which its chunks are asked for. */
  stream?: string;
  /** Names the call, for its cancellation. */
  call?: string;
}

const cancelSubject = 'onefold.cancel';

/** Bodies beyond this travel as streams; a NATS server takes messages of 1 MB unless told otherwise. */
export const longestMessage = 512 * 1024;

/** NATS: queue groups, one mux inbox for all answers, endless reconnection. */
export class NatsTransport implements Transport {
  private readonly senders: StreamSender;
  private readonly calls = new Map<string, AbortController>();
  private readonly running = new Set<Promise<void>>();
  private readonly subscriptions: Subscription[] = [];
  private readonly reconnected = new Set<() => void>();
  /** Rejects a request whose answer will not come: the connection it was sent on is lost. */
  private readonly inFlight = new Set<(reason: unknown) => void>();
  private connected = true;
  private calledTimes = 0;
  private readonly name = createInbox('onefold-call');

  private constructor(private readonly connection: NatsConnection) {
    this.senders = new StreamSender(connection);
    connection.subscribe(cancelSubject, {
      callback: (_error, message) =>
        this.calls.get(message.string())?.abort(new Error('the caller hung up')),
    });
    void this.followStatus();
  }

  /** Connects, waiting for a server that is not there yet. @param servers `nats://host:4222`, several separated by commas. */
  static async connect(servers: string, options: ConnectionOptions = {}): Promise<NatsTransport> {
    const connection = await connect({
      servers: servers.split(',').map((server) => server.trim()),
      name: 'onefold',
      // By default the client gives up after ten attempts, some 20 s, and the process would end with it.
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      waitOnFirstConnect: true,
      noAsyncTraces: true, // it would make two stacks per request, for errors that hardly ever come
      ...options,
    });
    return new NatsTransport(connection);
  }

  get isConnected(): boolean {
    return this.connected && !this.connection.isClosed();
  }

  serve(subject: string, queue: string, handler: FrameHandler): void {
    const subscription = this.connection.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error) return;
        const work = this.answer(message, handler);
        this.running.add(work);
        void work.finally(() => this.running.delete(work));
      },
    });
    this.subscriptions.push(subscription);
  }

  async served(): Promise<void> {
    await this.connection.flush();
  }

  async request(
    subject: string,
    message: Outgoing,
    { deadline, signal }: { deadline: number; signal: AbortSignal },
  ): Promise<Outgoing> {
    signal.throwIfAborted();
    await this.back(subject, deadline);
    signal.throwIfAborted();
    const call = `${this.name}.${this.calledTimes++}`;
    const cancel = () => this.connection.publish(cancelSubject, call);
    const frame = this.pack(message, signal, call);
    const answer = this.connection.request(subject, frame, {
      timeout: Math.max(1, deadline - Date.now()),
    });
    let aborted: (() => void) | undefined;
    let lost: ((reason: unknown) => void) | undefined;
    const hangUp = new Promise<never>((_settle, fail) => {
      aborted = () => {
        cancel();
        fail(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      signal.addEventListener('abort', aborted, { once: true });
      this.inFlight.add(fail);
      lost = fail;
    });
    try {
      const reply = await Promise.race([answer, hangUp]);
      const { wire, head, body } = unpack(reply.data);
      if (wire.stream === undefined) return { head, body };
      return { head, body: receiveStream(this.connection, wire.stream, signal, cancel) };
    } catch (error) {
      answer.catch(() => undefined); // lost the race; its failure is nobody's business any more
      if (error instanceof errors.NoRespondersError || isNoResponders(error))
        throw new NoResponders(subject);
      if (error instanceof errors.TimeoutError) {
        cancel();
        throw new DeadlinePassed(subject, { cause: error });
      }
      throw error;
    } finally {
      if (aborted) signal.removeEventListener('abort', aborted);
      if (lost) this.inFlight.delete(lost);
    }
  }

  publish(subject: string, payload: Uint8Array): void {
    this.connection.publish(subject, payload);
  }

  subscribe(subject: string, handler: (payload: Uint8Array) => void): () => void {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) handler(message.data);
      },
    });
    return () => subscription.unsubscribe();
  }

  onReconnect(handler: () => void): () => void {
    this.reconnected.add(handler);
    return () => this.reconnected.delete(handler);
  }

  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    // First no new calls, then the answers to those that came: the drain of a connection does not wait for either.
    if (this.connected) await Promise.allSettled(this.subscriptions.map((one) => one.drain()));
    while (this.running.size > 0) await Promise.allSettled(this.running);
    await this.senders.finished();
    await this.connection.drain();
  }

  private async answer(message: Msg, handler: FrameHandler): Promise<void> {
    const { wire, head, body } = unpack(message.data);
    const stop = new AbortController();
    if (wire.call !== undefined) this.calls.set(wire.call, stop);
    const incoming =
      wire.stream === undefined
        ? body
        : receiveStream(this.connection, wire.stream, stop.signal, () => undefined);
    const forget = () => {
      if (wire.call !== undefined) this.calls.delete(wire.call);
    };
    const outgoing = await handler({ head, body: incoming, signal: stop.signal });
    const streams = isStream(outgoing.body);
    message.respond(this.pack(outgoing, stop.signal, undefined, forget));
    if (!streams) forget();
  }

  private pack(
    { head, body }: Outgoing,
    signal: AbortSignal,
    call?: string,
    done?: () => void,
  ): Uint8Array {
    const wire: Wire = { head: head.length, ...(call === undefined ? {} : { call }) };
    if (!isStream(body)) return encodeFrame(wire, body ? Buffer.concat([head, body]) : head);
    wire.stream = this.senders.offer(body, signal, done);
    return encodeFrame(wire, head);
  }

  /** The client drops what is sent while there is no server: wait for one, as long as the call may take. */
  private async back(subject: string, deadline: number): Promise<void> {
    if (this.connected) return;
    await new Promise<void>((settle, fail) => {
      const stop = this.onReconnect(() => {
        clearTimeout(timer);
        stop();
        settle();
      });
      const timer = setTimeout(
        () => {
          stop();
          fail(new DeadlinePassed(subject));
        },
        Math.max(1, deadline - Date.now()),
      );
    });
  }

  private async followStatus(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') {
        this.connected = false;
        for (const fail of this.inFlight) fail(new ConnectionLost());
      }
      if (type !== 'reconnect') continue;
      this.connected = true;
      for (const handler of this.reconnected) handler();
    }
  }
}

function isStream(body: Outgoing['body']): body is AsyncIterable<Uint8Array> | Uint8Array {
  return body !== undefined && (!(body instanceof Uint8Array) || body.length > longestMessage);
}

function isNoResponders(error: unknown): boolean {
  return error instanceof errors.RequestError && error.isNoResponders();
}

function unpack(data: Uint8Array): { wire: Wire; head: Uint8Array; body: Uint8Array } {
  const { head: wire, body } = decodeFrame<Wire>(data);
  return { wire, head: body.subarray(0, wire.head), body: body.subarray(wire.head) };
}
