import type { Msg } from '@nats-io/transport-node';
import type { NatsLink } from './nats-link.js';
import { Kind, type Opened } from './sealed-message.js';
import { inboxSubject } from './subjects.js';

/** The status of a message that nobody was there to take. */
const noResponders = 503;

/** What somebody waits for at a subject of the inbox. */
export interface Expected {
  kinds: readonly Kind[];
  receive: (message: Opened, reply: string | undefined) => void;
  /** NATS says that nobody listens where the question went. The server cannot sign that, so it is a hint and no proof. */
  absent?: () => void;
}

/**
 * The one subscription at which a process hears what it asked for: answers, chunks, signs of life. Each has a subject that is used once,
 * so an answer counts only for what it answers.
 */
export class Inbox {
  private readonly expected = new Map<string, Expected>();
  private made = 0;

  /** @param role the process's, such as `gateway`: its NATS user may listen to inboxes of this role only */
  constructor(
    private readonly link: NatsLink,
    private readonly role: string,
  ) {
    link.listen(inboxSubject(role, link.processId, '*'), (message) => this.receive(message));
  }

  /** @returns the subject to send it to */
  expect(expected: Expected): string {
    const subject = inboxSubject(this.role, this.link.processId, (this.made += 1));
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
      if (opened !== undefined) expected.receive(opened, message.reply);
    } else if (message.reply !== undefined) {
      // A chunk of a stream that has ended here: without an answer its reader would wait for a minute.
      const { reply } = message;
      const gone = { head: 'error', body: Buffer.from('the stream has ended') };
      if (this.link.open(message, [Kind.question]))
        this.link.publish(Kind.chunk, { subject: reply }, gone);
    }
    // Any other is the answer to a call that was given up.
  }
}
