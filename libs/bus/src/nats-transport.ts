import { Logger } from '@nestjs/common';
import {
  connect,
  type ConnectionOptions,
  errors,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { Cancellation } from './cancellation.js';
import { decodeFrame, encodeFrame } from './frame.js';
import { cancelSubject, NatsCalls } from './nats-calls.js';
import { NatsOutbox } from './nats-outbox.js';
import { receiveStream, StreamSender } from './nats-streams.js';
import { DeadlinePassed, type FrameHandler, type Outgoing, type Transport } from './transport.js';

/** Bodies beyond this travel as streams; a NATS server takes messages of 1 MB unless told otherwise. */
export const longestMessage = 512 * 1024;

const log = new Logger('bus');

/** NATS: queue groups, one inbox for all answers, endless reconnection. */
export class NatsTransport implements Transport {
  private readonly senders: StreamSender;
  private readonly outbox: NatsOutbox;
  private readonly calls: NatsCalls;
  /** What is worked on here, by the subject its answer goes to. */
  private readonly working = new Map<string, Cancellation>();
  private readonly running = new Set<Promise<void>>();
  private readonly subscriptions: Subscription[] = [];
  private readonly reconnected = new Set<() => void>();
  private connected = true;

  private constructor(private readonly connection: NatsConnection) {
    this.senders = new StreamSender(connection);
    this.outbox = new NatsOutbox(connection, (error, subject, reply) => {
      if (reply === undefined)
        log.error({ message: 'a message could not be sent', subject, error: String(error) });
      else this.calls.unsent(reply, error);
    });
    this.calls = new NatsCalls(connection, this.outbox);
    connection.subscribe(cancelSubject, {
      callback: (_error, message) =>
        this.working.get(message.string())?.cancel(new Error('the caller hung up')),
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
      noAsyncTraces: true, // it would make two stacks per chunk of a stream, for errors that hardly ever come
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
        const work = this.answer(message, handler).catch((reason: unknown) => {
          // A message of another version, or of nobody of us: its sender waits for its deadline, and this process goes on.
          log.error({ message: 'a message could not be answered', subject, error: String(reason) });
        });
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
    { head, body }: Outgoing,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<Outgoing> {
    const { deadline, cancellation } = options;
    cancellation.throwIfCancelled();
    if (!this.connected) {
      await this.back(subject, deadline);
      cancellation.throwIfCancelled();
    }
    const answer = await this.sent(subject, { head, body }, options);
    const { stream, ...reply } = decodeFrame(answer.data);
    if (stream === '') return reply;
    const cancel = () => this.calls.cancel(answer.subject);
    return {
      head: reply.head,
      body: receiveStream(this.connection, stream, cancellation, cancel),
    };
  }

  private async sent(
    subject: string,
    { head, body }: Outgoing,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<Msg> {
    if (!isStream(body)) return await this.calls.send(subject, encodeFrame(head, body), options);
    // Who answers before the body has ended does not read the rest of it.
    const offered = new Cancellation();
    const giveUp = (reason: Error) => offered.cancel(reason);
    options.cancellation.onCancel(giveUp);
    try {
      return await this.calls.send(subject, this.pack(head, body, offered), options);
    } finally {
      options.cancellation.offCancel(giveUp);
      offered.cancel(new Error('the call was answered'));
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
    this.outbox.flush();
    await this.connection.drain();
  }

  private async answer({ data, reply }: Msg, handler: FrameHandler): Promise<void> {
    if (reply === undefined) return; // nobody wants to hear it
    const { head, body, stream } = decodeFrame(data);
    const cancellation = new Cancellation();
    this.working.set(reply, cancellation);
    const forget = () => this.working.delete(reply);
    const incoming =
      stream === '' ? body : receiveStream(this.connection, stream, cancellation, () => undefined);
    const outgoing = await handler({ head, body: incoming, cancellation }).catch(
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    if (!isStream(outgoing.body)) forget();
    this.outbox.publish(reply, this.pack(outgoing.head, outgoing.body, cancellation, forget));
  }

  /** @param done runs when a body that became a stream has ended. */
  private pack(
    head: string,
    body: Outgoing['body'],
    cancellation: Cancellation,
    done?: () => void,
  ): Uint8Array {
    if (!isStream(body)) return encodeFrame(head, body);
    return encodeFrame(head, undefined, this.senders.offer(body, cancellation, done));
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
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        this.connected = false;
        this.calls.lost();
      }
      if (status.type === 'error') this.told(status.error);
      if (status.type !== 'reconnect') continue;
      this.connected = true;
      for (const handler of this.reconnected) handler();
    }
  }

  /** The server refused something; what it was is for its operator to see. */
  private told(error: Error): void {
    log.error({ message: 'NATS refused something', error: error.message });
    if (error instanceof errors.PermissionViolationError && error.operation === 'publish')
      this.calls.refused(error.subject, error);
  }
}

function isStream(body: Outgoing['body']): body is AsyncIterable<Uint8Array> | Uint8Array {
  return body !== undefined && (!(body instanceof Uint8Array) || body.length > longestMessage);
}
