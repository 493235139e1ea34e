import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Cancellation } from './cancellation.js';
import type { NatsOutbox } from './nats-outbox.js';
import { ConnectionLost, DeadlinePassed, NoResponders } from './transport.js';

/** Where the names of calls that were given up are told. */
export const cancelSubject = 'onefold.cancel';
/** The status of a message that nobody was there to take. */
const noResponders = 503;

interface Waiting {
  subject: string;
  settle: (answer: Msg) => void;
  fail: (reason: unknown) => void;
}

/**
 * Calls under way, and their answers, which come to one inbox. The client has requests of its own; each of them makes an error with
 * its stack, which cost a gateway a tenth of its time.
 */
export class NatsCalls {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inbox = createInbox('onefold-call');
  private made = 0;

  constructor(
    connection: NatsConnection,
    private readonly outbox: NatsOutbox,
  ) {
    connection.subscribe(`${this.inbox}.*`, {
      callback: (error, message) => {
        const call = this.waiting.get(message.subject);
        if (call === undefined) return; // it was given up
        if (error) call.fail(error);
        else if (message.data.length === 0 && message.headers?.code === noResponders)
          call.fail(new NoResponders(call.subject));
        else call.settle(message);
      },
    });
  }

  /**
   * Sends a call. Whoever works for it is told when it is given up, under the subject its answer would go to.
   * @throws NoResponders, DeadlinePassed, ConnectionLost, or the reason of the cancellation.
   */
  send(
    subject: string,
    frame: Uint8Array,
    { deadline, cancellation }: { deadline: number; cancellation: Cancellation },
  ): Promise<Msg> {
    return new Promise((settle, fail) => {
      const reply = `${this.inbox}.${this.made++}`;
      const end = () => {
        clearTimeout(timer);
        cancellation.offCancel(giveUp);
        this.waiting.delete(reply);
      };
      const giveUp = (reason: Error) => {
        end();
        this.cancel(reply);
        fail(reason);
      };
      const timer = setTimeout(
        () => giveUp(new DeadlinePassed(subject)),
        Math.max(1, deadline - Date.now()),
      );
      cancellation.onCancel(giveUp);
      this.waiting.set(reply, {
        subject,
        settle: (answer) => {
          end();
          settle(answer);
        },
        fail: (reason) => {
          end();
          fail(reason);
        },
      });
      this.outbox.publish(subject, frame, reply);
    });
  }

  /** Tells who works for a call that nobody waits for it any more. @param reply the subject of its answer */
  cancel(reply: string): void {
    this.outbox.publish(cancelSubject, Buffer.from(reply));
  }

  /** A call could not be sent. */
  unsent(reply: string, error: unknown): void {
    this.waiting.get(reply)?.fail(error);
  }

  /** The connection broke: the answers that were waited for will not come. */
  lost(): void {
    for (const { fail } of [...this.waiting.values()]) fail(new ConnectionLost());
  }

  /** The server does not let us send to a subject. */
  refused(subject: string, error: Error): void {
    for (const call of [...this.waiting.values()]) if (call.subject === subject) call.fail(error);
  }
}
