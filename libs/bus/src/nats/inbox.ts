import type { Msg } from '@nats-io/transport-node';
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
  /** By the place that the subject names: a place is used again, a subject is not. */
  private readonly expected: ({ subject: string; by: Expected } | undefined)[] = [];
  private readonly free: number[] = [];
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
    const place = this.free.pop() ?? this.expected.length;
    const subject = `${this.prefix}${this.made}-${place}`;
    this.expected[place] = { subject, by: expected };
    return subject;
  }

  forget(subject: string): void {
    const place = placeOf(subject);
    if (this.expected[place]?.subject !== subject) return;
    this.expected[place] = undefined;
    this.free.push(place);
  }

  private receive(message: Msg): void {
    const { subject } = message;
    const waiting = this.expected[placeOf(subject)];
    const expected = waiting?.subject === subject ? waiting.by : undefined;
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

/** The place that a subject names; not a number for one that nobody here made. */
function placeOf(subject: string): number {
  return Number(subject.slice(subject.lastIndexOf('-') + 1));
}
