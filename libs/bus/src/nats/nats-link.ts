import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Content } from '../messages/content.js';
import { NatsOutbox } from './nats-outbox.js';
import type { Refusals } from './refusals.js';
import { type Address, Kind, type MessageSeal, type Opened } from '../messages/sealed-message.js';
import { Unconfirmed } from './unconfirmed.js';

const log = new Logger('bus');

/** Kinds that are sent again after a lost connection. A request is not: its caller was told that the outcome is unknown. */
const isKept: ReadonlySet<Kind> = new Set([Kind.answer, Kind.notTaken, Kind.question, Kind.chunk]);

/** The connection of a process. It authenticates everything that it sends, and no message or handler can end a subscription. */
export class NatsLink {
  private readonly outbox: NatsOutbox;
  private readonly unconfirmed = new Unconfirmed(() => this.flush());
  /** Subjects whose subscription was ended by the server or an error, with the reason. */
  private readonly ended = new Map<string, string>();
  private closing = false;

  /** @param unsent called for a message that could not be sent */
  constructor(
    readonly connection: NatsConnection,
    private readonly messages: MessageSeal,
    private readonly refusals: Refusals,
    unsent: (error: unknown, subject: string, reply?: string) => void,
  ) {
    this.outbox = new NatsOutbox(connection, unsent);
  }

  get processId(): string {
    return this.messages.processId;
  }

  /** @param deadline epoch milliseconds; a minute from now by default */
  publish(kind: Kind, address: Address, content: Content, deadline?: number): void {
    const message = this.seal(kind, address, content, deadline);
    this.send(address, message);
    if (isKept.has(kind)) this.unconfirmed.add(() => this.send(address, message), message.length);
  }

  /** Seals a message that may have to be sent again; a receiver accepts it only once. */
  seal(kind: Kind, address: Address, content: Content, deadline?: number): Uint8Array {
    return this.messages.seal(kind, address, content, deadline);
  }

  send({ subject, reply }: Address, message: Uint8Array): void {
    this.outbox.publish(subject, message, reply);
  }

  lost(): void {
    this.unconfirmed.lost();
  }

  /** Sends again what may have been lost with the connection. */
  reconnected(): void {
    this.unconfirmed.reconnected();
  }

  /** @returns undefined for a refused message */
  open({ subject, reply, data }: Msg, kinds: readonly Kind[]): Opened | undefined {
    return this.messages.open({ subject, reply }, data, kinds);
  }

  /** Subscribes until the process ends or the returned function is called. Errors of the handler are counted and logged. */
  listen(subject: string, handler: (message: Msg) => void): () => void {
    let wanted = true;
    const subscription: Subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return; // `closed` contains the reason
        try {
          handler(message);
        } catch (failure) {
          this.refusals.add('failed', subject, undefined, failure);
        }
      },
    });
    void subscription.closed.then((reason) => {
      if (!wanted || this.closing || this.connection.isClosed()) return;
      const error = reason instanceof Error ? reason.message : 'unknown';
      this.ended.set(subject, error);
      log.error({ message: 'NATS subscription ended', subject, error });
    });
    return () => {
      wanted = false;
      subscription.unsubscribe();
    };
  }

  /** @throws Error naming a subscription that has ended */
  checkSubscriptions(): void {
    for (const [subject, error] of this.ended)
      throw new Error(`the subscription to ${subject} has ended: ${error}`);
  }

  /** Resolves when everything sent so far has reached the server. */
  async flush(): Promise<void> {
    this.outbox.flush();
    await this.connection.flush();
  }

  async close(): Promise<void> {
    this.closing = true;
    this.outbox.flush();
    await this.connection.drain();
  }
}
