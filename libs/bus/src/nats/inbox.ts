import type { Msg } from '@nats-io/transport-node';
import { InFlight } from './in-flight.js';
import type { NatsLink } from './nats-link.js';
import { Kind, type Opened } from '../messages/sealed-message.js';
import { inboxSubject, replySubject } from '../subjects.js';

/** The status with which NATS reports that nobody listens at a subject. */
const noResponders = 503;

/** Handlers of a message that is expected at a subject of the inbox. */
export interface Expected {
  kinds: readonly Kind[];
  receive: (message: Opened, reply: string | undefined) => void;
  /** NATS reports that nobody listens at the subject of the request. The server cannot sign this, so it is only a hint. */
  absent?: () => void;
}

/**
 * The subscription for everything that a process has requested: responses, chunks, signs of life. Each request has its own subject, so a
 * response is valid only for its request.
 */
export class Inbox {
  /** By subject. */
  private readonly expected = new InFlight<Expected>();
  private readonly prefix: string;
  private made = 0;

  /** @param role of the process, such as `gateway`: its NATS user may only subscribe to inboxes of this role */
  constructor(
    private readonly link: NatsLink,
    role: string,
  ) {
    this.prefix = inboxSubject(role, link.processId, '');
    link.listen(inboxSubject(role, link.processId, '*'), (message) => this.receive(message));
  }

  /** @returns the subject for the response */
  expect(expected: Expected): string {
    this.made += 1;
    const subject = `${this.prefix}${this.made}`;
    this.expected.set(subject, expected);
    return subject;
  }

  forget(subject: string): void {
    this.expected.delete(subject);
  }

  private receive(message: Msg): void {
    const expected = this.expected.get(message.subject);
    if (message.data.length === 0 && message.headers?.code === noResponders) expected?.absent?.();
    else if (expected !== undefined) {
      const opened = this.link.open(message, expected.kinds);
      if (opened !== undefined) expected.receive(opened, replySubject(message));
    } else {
      const reply = replySubject(message);
      if (reply === undefined) return; // the response to a call that has ended
      // A request for a chunk of an ended stream: without a response its reader would wait for a minute.
      const gone = { head: 'error', body: Buffer.from('the stream has ended') };
      if (this.link.open(message, [Kind.question]))
        this.link.publish(Kind.chunk, { subject: reply }, gone);
    }
  }
}
